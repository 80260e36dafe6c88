#!/usr/bin/env node
import module from 'node:module'

// This file is JavaScript, because the module that a process begins with is never in Node's compile cache. As TypeScript
// it would make Node load its type stripper, which costs 30 ms in every command.
module.enableCompileCache()
await import('../src/cli.ts')
