import module from 'node:module'

// The first module of a thread. Node does not inherit the compile cache to threads: each must enable it. Without the
// cache, a thread strips the types of all its modules and compiles them again, which doubles their load time. The first
// module itself is never in the cache. As TypeScript it would make each thread load the type stripper, which costs 50
// ms.

const [, , entry = '', cache] = process.argv
if (cache === 'cached') module.enableCompileCache()
await import(entry)
