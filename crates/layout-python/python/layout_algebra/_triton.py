"""Index functions as functions of Triton, which reads the source of its functions."""

import linecache


def function(source, name, is_wide):
    """The function of this name in ``source``, decorated; ``is_wide`` has its coordinates in 64 bits."""
    try:
        import triton
        import triton.language
    except ImportError as error:
        raise ImportError("Triton is not installed, and triton() returns a function of it: emit('python') is text") from error
    lines = source.splitlines(keepends=True)
    if is_wide:
        begin = next(k for k, line in enumerate(lines) if line.startswith("def ")) + 1
        names = lines[begin - 1].partition("(")[2].partition(")")[0].split(", ")
        lines[begin:begin] = [f"    {name} = _language.cast({name}, _language.int64)\n" for name in names]
    lines.insert(0, "@_jit\n")
    # Where `inspect` finds the source of what is in no file.
    file = f"<layout_algebra {hash(''.join(lines)):x}>"
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
    space = {"_jit": triton.jit, "_language": triton.language, "__name__": __name__}
    exec(compile("".join(lines), file, "exec"), space)
    return space[name]
