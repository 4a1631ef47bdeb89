#!/usr/bin/env python3
"""Checks that sources include what they use of the precompiled headers."""

import argparse
import re
import sys
from pathlib import Path

# Whoever names one of these needs a header of such a name, by whatever way:
# cmake/PrecompiledHeaders.h has them all, and hides where one is lacking.
NEEDED = {
    r"\baffine::\w": "mlir/Dialect/Affine/",
    r"\barith::\w": "mlir/Dialect/Arith/",
    r"\bbufferization::\w": "mlir/Dialect/Bufferization/",
    r"\bfunc::\w": "mlir/Dialect/Func/",
    r"\bgpu::\w": "mlir/Dialect/GPU/",
    r"\blinalg::\w": "mlir/Dialect/Linalg/",
    r"\bLLVM::\w": "mlir/Dialect/LLVMIR/LLVMDialect.h",
    r"\bmath::\w": "mlir/Dialect/Math/",
    r"\bmemref::\w": "mlir/Dialect/MemRef/",
    r"\bscf::\w": "mlir/Dialect/SCF/",
    r"\btensor::\w": "mlir/Dialect/Tensor/",
    r"\bvector::\w": "mlir/Dialect/Vector/",
    r"\b(IntegerAttr|FloatAttr|StringAttr|ArrayAttr|DenseElementsAttr)\b":
        "mlir/IR/BuiltinAttributes.h",
    r"\b(IntegerType|FloatType|ShapedType|RankedTensorType|MemRefType)\b":
        "mlir/IR/BuiltinTypes.h",
    r"\b(matchPattern|m_Constant|m_Zero)\b": "mlir/IR/Matchers.h",
    r"\b(OpRewritePattern|PatternRewriter|RewritePatternSet)\b":
        "mlir/IR/PatternMatch.h",
    r"\bgetElementTypeOrSelf\b": "mlir/IR/TypeUtilities.h",
    r"(?<!legacy::)\b(PassManager|OpPassManager)\b":
        "mlir/Pass/PassManager.h",
    r"\bwalkAndApplyPatterns\b": "mlir/Transforms/WalkPatternRewriteDriver.h",
    r"\bllvm::(all_of|any_of|none_of|find_if|map_range|zip|zip_equal|enumerate"
    r"|is_contained|append_range|sort|count_if|reverse)\b":
        "llvm/ADT/STLExtras.h",
    r"\bgetWords\(Choice::": "convoy/Transforms/Utils/Choices.h",
    r"\bmakeRegistry\(\)|\bapplyPrecision\(": "convoy/Driver/Compile.h",
    r"\bcheck(Precision|Algorithm)\(": "convoy/Driver/ToolOptions.h",
    r"\bSmallVector\b": "llvm/ADT/SmallVector.h",
    r"\b(llvm::join|toHex|ListSeparator|getHexUppercase)\b":
        "llvm/ADT/StringExtras.h",
    r"\bTypeSwitch\b": "llvm/ADT/TypeSwitch.h",
    r"\bformatv\b": "llvm/Support/FormatVariadic.h",
    r"\bllvm::(divideCeil|alignTo|isPowerOf2_\d+|Log2_\d+)\b":
        "llvm/Support/MathExtras.h",
    r"\bstd::array\b": "array",
    r"\bstd::(is(nan|inf|finite)|sqrt|ceil|floor|ldexp|fma|exp|log|round)\b": "cmath",
    r"\bstd::deque\b": "deque",
    r"\bstd::function\b": "functional",
    r"\bstd::numeric_limits\b": "limits",
    r"\bstd::(multi)?map\b": "map",
    r"\bstd::(unique_ptr|shared_ptr|make_unique|make_shared)\b": "memory",
    r"\bstd::(mutex|lock_guard|unique_lock)\b": "mutex",
    r"\bstd::(accumulate|gcd|lcm|iota)\b": "numeric",
    r"\bstd::optional\b": "optional",
    r"\bstd::(multi)?set\b": "set",
    r"\bstd::(string|to_string)\b": "string",
    r"\bstd::(tuple|tie)\b": "tuple",
    r"\bstd::variant\b": "variant",
    r"\bstd::vector\b": "vector",
}
FOLDERS = ("include", "lib", "python", "test", "tools")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
COMMENT = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')


class Headers:
    """What headers include, each read once."""

    def __init__(self, root: Path, folders: list[Path]) -> None:
        self.folders = folders
        # Some folders see the headers of another one, as tests do.
        self.private = {path.name: path for folder in FOLDERS
                        for path in (root / folder).rglob("*.h")}
        self.names: dict[Path, list[str]] = {}

    def read(self, path: Path) -> list[str]:
        if path not in self.names:
            self.names[path] = INCLUDE.findall(path.read_text(errors="replace"))
        return self.names[path]

    def find(self, name: str, user: Path) -> Path | None:
        candidates = (folder / name for folder in (user.parent, *self.folders))
        return next((path for path in candidates if path.is_file()),
                    self.private.get(name))

    def reach(self, source: Path) -> set[str]:
        """The names of all headers that `source` includes by whatever way."""
        names: set[str] = set()
        left = [source]
        while left:
            path = left.pop()
            for name in self.read(path):
                if name not in names:
                    names.add(name)
                    if header := self.find(name, path):
                        left.append(header)
        return names


def check(source: Path, headers: Headers) -> list[str]:
    text = COMMENT.sub("", INCLUDE.sub("", source.read_text()))
    names: set[str] | None = None
    errors = []
    for pattern, header in NEEDED.items():
        if not (use := re.search(pattern, text)):
            continue
        names = headers.reach(source) if names is None else names
        if header not in names and not (header.endswith("/") and any(
                name.startswith(header) for name in names)):
            errors.append(f"'{use[0]}' needs a header {header}")
    return errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path,
                        default=Path(__file__).resolve().parent.parent,
                        help="the folder with the sources (this project's)")
    parser.add_argument("-I", "--include", action="append", type=Path,
                        default=[], help="a folder of headers, such as LLVM's")
    args = parser.parse_args()
    headers = Headers(args.root, [args.root / "include",
                                  args.root / "runtime/include",
                                  *args.include])
    sources = [path for folder in FOLDERS
               for path in sorted((args.root / folder).rglob("*.cpp"))]
    errors = [f"{source.relative_to(args.root)}: {error}"
              for source in sources for error in check(source, headers)]
    print(*errors, sep="\n", end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
