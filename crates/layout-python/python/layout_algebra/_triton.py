"""Index functions as functions of Triton, which reads the source of its functions."""

import linecache


def function(source, name, is_wide):
    """The function ``name`` of ``source`` under ``triton.jit``; ``is_wide`` casts its coordinates to 64 bits."""
    try:
        import triton
        import triton.language
    except ImportError as error:
        raise ImportError("triton() needs Triton, which is not installed; emit('python') gives the text") from error
    lines = source.splitlines(keepends=True)
    if is_wide:
        begin = next(k for k, line in enumerate(lines) if line.startswith("def ")) + 1
        names = lines[begin - 1].partition("(")[2].partition(")")[0].split(", ")
        lines[begin:begin] = [f"    {name} = _language.cast({name}, _language.int64)\n" for name in names]
    lines.insert(0, "@_jit\n")
    # `inspect` reads the source of generated code from `linecache`.
    file = f"<layout_algebra {hash(''.join(lines)):x}>"
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
    space = {"_jit": triton.jit, "_language": triton.language, "__name__": __name__}
    exec(compile("".join(lines), file, "exec"), space)
    return space[name]
