import { join } from 'node:path'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { plainEnvironment } from './fresh-clone.ts'

/** `holdfast serve` of a clone, on a port that is free. */
export function startServer(clone: string, env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const words = ['--env-file-if-exists=.env', join(clone, 'bin/holdfast.js'), 'serve']
  return startServerProcess(words, { cwd: clone, env: { ...plainEnvironment(), PORT: '0', ...env } })
}
