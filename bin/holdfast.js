#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { onNode } from './on-node.js'

// This file is JavaScript, because the module that a process begins with is never in Node's compile cache. As TypeScript
// it would make Node load its type stripper, which costs 30 ms in every command.
onNode(async () => {
  module.enableCompileCache()
  // Below node_modules, Node takes no TypeScript; the package has JavaScript instead (scripts/build-package.ts).
  const source = new URL('../src/cli.ts', import.meta.url)
  await import(existsSync(source) ? source.href : '../dist/src/cli.js')
})
