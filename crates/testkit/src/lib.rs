//! For tests only, and free of memdir's own types: temporary homes, running a program with a clean
//! environment, and fault injection through `strace`.
