// What `npm run …` starts, in JavaScript that any Node can read: a command, with the variables in `.env`, and with secrets
// for the sample model where a plan needs them.
import { existsSync } from 'node:fs'
import { onNode } from '../bin/on-node.js'

onNode(async () => {
  const { default: module } = await import('node:module')
  module.enableCompileCache()
  const [command] = process.argv.slice(2)
  if (command === 'demo') {
    // The demo reads its own words.
    process.argv.splice(2, 1)
    await import('./demo.ts')
    return
  }
  if (command === 'build-package') {
    const { buildPackage } = await import('./build-package.ts')
    await buildPackage('dist')
    return
  }
  if (command === 'plan' || command === 'apply') {
    const { makeDemoSecrets } = await import('./demo-secrets.ts')
    makeDemoSecrets('.', process.env)
  }
  if (existsSync('.env')) process.loadEnvFile('.env')
  await import('../src/cli.ts')
})
