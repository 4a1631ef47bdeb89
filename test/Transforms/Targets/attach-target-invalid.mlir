// RUN: convoy-opt %s --convoy-attach-target=vector-bytes=-1 --verify-diagnostics

// expected-error @below {{expected a positive vector_bytes, but got -1}}
module {}
