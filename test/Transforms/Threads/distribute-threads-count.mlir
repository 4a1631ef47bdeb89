// RUN: convoy-opt %s --convoy-distribute-threads=threads=0 --verify-diagnostics
// RUN: sed 's/got 0/got 1025/' %s | convoy-opt --convoy-distribute-threads=threads=1025 --verify-diagnostics

// A number of threads that there is not.
// expected-error @below {{expected from 1 to 1024 threads, but got 0}}
module {
}
