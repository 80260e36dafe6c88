#!/usr/bin/env node
import module from 'node:module'

// JavaScript, because Node loads what strips types, 30 ms of every command, only for modules that its compile cache does
// not have; and the module that a process begins with is never in it.
module.enableCompileCache()
await import('../src/cli.ts')
