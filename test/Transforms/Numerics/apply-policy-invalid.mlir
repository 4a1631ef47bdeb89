// RUN: convoy-opt %s --convoy-apply-policy=policy=fast --verify-diagnostics

// expected-error @below {{expected normal, high or low for policy, but got 'fast'}}
module {}
