import module from 'node:module'

// The first module of a thread. Node enables its compile cache for each thread by itself. Without the cache, a thread strips
// the types of all its modules and compiles them again, which doubles the time to load them. The first module itself is
// never in the cache; as TypeScript it would make each thread load the type stripper, which costs 50 ms.

const [, , entry = '', cache] = process.argv
if (cache === 'cached') module.enableCompileCache()
await import(entry)
