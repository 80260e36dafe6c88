import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Every version of Node since 14 can read this file and those that import it: what is newer is loaded by `start`.

/** The oldest version that has all that Holdfast uses; last came argon2 in `node:crypto`. `engines` says the same. */
export const NEEDED = '24.7'

/** The systems that have an optional package with a Node. */
const OFFERED = ['linux-arm64', 'linux-x64', 'win32-x64']

/** Starts on this Node, on the newer one that was installed beside Holdfast, or says in one sentence what is missing. */
export function onNode(start) {
  if (isEnough(process.versions.node)) {
    keepFromWarningOfSqlite()
    return start()
  }
  const beside = nodeBeside()
  if (beside !== null) return handOver(beside)
  process.stderr.write(refusal(process.versions.node))
  process.exitCode = 1
}

export function isEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  const [neededMajor, neededMinor] = NEEDED.split('.').map(Number)
  return major > neededMajor || (major === neededMajor && minor >= neededMinor)
}

export function refusal(version, isOffered = OFFERED.includes(`${process.platform}-${process.arch}`)) {
  const step = isFreshClone() ? 'run "npm ci" first' : 'install Holdfast ("npm ci") without --omit=optional'
  const another = isOffered ? `; or ${step}, which brings one along` : ''
  return `Holdfast needs Node.js ${NEEDED} or newer, and this is ${version}: get it from https://nodejs.org/en/download, or with "nvm install 24"${another}.\n`
}

/** A clone in which nothing was installed yet. The package has no sources. */
function isFreshClone() {
  return isThere('../src/cli.ts') && !isThere('../node_modules')
}

function isThere(path) {
  return existsSync(new URL(path, import.meta.url))
}

/** The Node in the optional package, which there is for some systems; null without it. */
export function nodeBeside(system = process.platform, architecture = process.arch) {
  const isWindows = system === 'win32'
  try {
    const load = createRequire(import.meta.url)
    const name = `node-${isWindows ? 'win' : system}-${architecture}/package.json`
    if (!isEnough(load(name).version)) return null
    return join(dirname(load.resolve(name)), 'bin', isWindows ? 'node.exe' : 'node')
  } catch {
    return null
  }
}

/** Before 24.15, Node warns in each command of `node:sqlite`, of which Holdfast uses no more than its locks of files. */
function keepFromWarningOfSqlite() {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
  }
}

/** Runs the same command on another Node, and ends as that does. */
function handOver(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  // A terminal tells both of Ctrl-C; the command decides when it ends.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('error', (error) => {
    process.stderr.write(
      `${refusal(process.versions.node, false)}The one at ${node} does not start: ${error.message}\n`,
    )
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + (signal === 'SIGTERM' ? 15 : 9) : code
  })
}
