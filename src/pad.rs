//! Width, fill and precision for text that is written in parts, like `Formatter::pad` for a `&str`.

use core::fmt::{self, Display, Formatter, Write};

/// Pads and truncates what `write` writes to the width and precision of `f`, without memory for the
/// text; `write` itself ignores the width. One function serves all types, since few values are
/// printed with a width.
pub(crate) fn pad(
    f: &mut Formatter<'_>,
    write: &dyn Fn(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if f.width().is_none() && f.precision().is_none() {
        return write(f);
    }
    let (text, alternate) = (Written(write), f.alternate());
    let write = |out: &mut dyn Write| {
        if alternate { write!(out, "{text:#}") } else { write!(out, "{text}") }
    };
    let (width, most) = (f.width().unwrap_or(0), f.precision().unwrap_or(usize::MAX));
    let length = length_of(write)?.min(most);
    within(f, width, length, fmt::Alignment::Left, |f| {
        write(&mut FirstCharacters { out: f, left: most })
    })
}

/// What a function writes, as a `Display`.
pub(crate) struct Written<F>(pub(crate) F);
impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Written<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// How many characters are written.
pub(crate) fn length_of(
    write: impl FnOnce(&mut dyn Write) -> fmt::Result,
) -> Result<usize, fmt::Error> {
    struct Counted(usize);
    impl Write for Counted {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.chars().count();
            Ok(())
        }
    }
    let mut count = Counted(0);
    write(&mut count)?;
    Ok(count.0)
}

/// Writes text of `length` characters within `width`, aligned as `f` says, or else at `end`.
pub(crate) fn within(
    f: &mut Formatter<'_>,
    width: usize,
    length: usize,
    end: fmt::Alignment,
    write: impl FnOnce(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let (room, fill) = (width.saturating_sub(length), f.fill());
    let before = match f.align().unwrap_or(end) {
        fmt::Alignment::Left => 0,
        fmt::Alignment::Center => room / 2,
        fmt::Alignment::Right => room,
    };
    (0..before).try_for_each(|_| f.write_char(fill))?;
    write(f)?;
    (before..room).try_for_each(|_| f.write_char(fill))
}

/// The first characters of what is written.
struct FirstCharacters<'f, 'b> {
    out: &'f mut Formatter<'b>,
    left: usize,
}
impl Write for FirstCharacters<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.char_indices().nth(self.left).map_or(text.len(), |(end, _)| end);
        self.left -= text[..end].chars().count();
        self.out.write_str(&text[..end])
    }
}

/// `Debug` is the text: `dbg!` and a failed `assert_eq!` show what `{}` shows.
macro_rules! debug_as_display {
    ($([$($generic:tt)*] $type:ty;)*) => {
        $(impl<$($generic)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        })*
    };
}
