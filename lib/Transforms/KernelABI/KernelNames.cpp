//===- KernelNames.cpp - Names in the C interface of kernels ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/KernelNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace mlir::convoy;

/// Keywords of C up to C23 and of C++ up to C++23, with the alternative
/// spellings of operators.
static constexpr StringLiteral kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch "
    "char char16_t char32_t char8_t class co_await co_return co_yield compl "
    "concept const const_cast consteval constexpr constinit continue "
    "decltype default delete do double dynamic_cast else enum explicit "
    "export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast requires restrict return "
    "short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename "
    "typeof typeof_unqual union unsigned using virtual void volatile "
    "wchar_t while xor xor_eq";

/// Types and functions that programs, the header or the kernels use.
static constexpr StringLiteral kUsedNames =
    "int8_t int16_t int32_t int64_t uint8_t uint16_t main memcmp memcpy "
    "memmove memset";

/// Functions of C and POSIX that LLVM's TargetLibraryInfo lacks.
/// docs/Kernels.md lists what is in this and the next two.
static constexpr StringLiteral kSystemFunctions =
    "accept alarm asctime asprintf atexit basename bind brk bsearch chdir "
    "chroot clock clone close connect creat ctime daemon difftime dirname div "
    "dlclose dlerror dlopen dlsym dprintf drand48 dup dup2 dup3 err error "
    "fchdir fcntl flock freopen fsync ftok ftruncate ftw getopt glob gmtime "
    "iconv imaxabs imaxdiv index ioctl isalnum isalpha isatty isblank iscntrl "
    "isgraph islower isprint ispunct isspace isupper isxdigit kill ldiv lfind "
    "link listen lldiv localeconv localtime login logout longjmp lsearch lseek "
    "madvise mblen mbtowc mkfifo mknod mkstemp mktemp mlock mmap mount "
    "mprotect msync munlock munmap nanosleep nftw nice openlog pause pipe "
    "pipe2 poll ppoll pselect raise rand random readdir readv reboot recv "
    "recvfrom recvmsg regcomp regexec regfree rewinddir rindex sbrk select "
    "semctl semget semop send sendfile sendmsg sendto setjmp setlocale shmat "
    "shmctl shmdt shmget shutdown sigaction signal sigwait sleep socket splice "
    "srand srandom strerror strftime strptime strsep strsignal swab "
    "symlink sync syscall sysconf syslog tee time timegm tmpnam tolower "
    "toupper truncate tsearch ttyname tzset ulimit umask unlinkat usleep vfork "
    "wait wait3 wait4 waitid waitpid warn wctomb writev";

/// The same of the mathematical library, without `f` for float and `l` for long
/// double at the end.
static constexpr StringLiteral kMathFunctions =
    "cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog "
    "conj cpow cproj creal csin csinh csqrt ctan ctanh drem erfc finite fma "
    "gamma isinf isnan j0 j1 jn lgamma llrint llround lrint lround pow10 scalb "
    "significand y0 y1 yn";

/// Other names that a C program may have from its headers or its compiler, with
/// `*` for any characters.
static constexpr StringLiteral kHeaderNames =
    "assert complex daylight environ errno linux main optarg opterr optind "
    "signgam stderr stdin stdout timezone tzname unix EOF FILE I INFINITY NAN "
    "NULL size_t ssize_t ptrdiff_t off_t time_t int*_t uint*_t INT*_MIN "
    "INT*_MAX INT*_C UINT*_MAX UINT*_C PTRDIFF_M* SIZE_MAX SIG_ATOMIC_M* "
    "WCHAR_M* WINT_M*";

static bool holdsWord(StringRef words, StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

bool mlir::convoy::isKernelName(StringRef name) {
  bool isIdentifier =
      !name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isIdentifier && !holdsWord(kKeywords, name) && !isUsedName(name) &&
         !name.starts_with("CONVOY_");
}

bool mlir::convoy::isUsedName(StringRef name) {
  return holdsWord(kUsedNames, name);
}

bool mlir::convoy::isLibraryName(StringRef name) {
  static const llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  llvm::LibFunc function;
  StringRef withoutType = name;
  if (!withoutType.consume_back("f"))
    withoutType.consume_back("l");
  if (library.getLibFunc(name, function) || holdsWord(kSystemFunctions, name) ||
      holdsWord(kMathFunctions, name) || holdsWord(kMathFunctions, withoutType))
    return true;
  return llvm::any_of(llvm::split(kHeaderNames, ' '), [&](StringRef pattern) {
    return cantFail(llvm::GlobPattern::create(pattern)).match(name);
  });
}

std::string UniqueNames::add(StringRef name) {
  std::string unique = name.str();
  for (int number = 1; !taken.insert(unique).second; ++number)
    unique = name.str() + std::to_string(number);
  return unique;
}
