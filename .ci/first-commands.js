// The first commands that somebody types, in a clone and with the package, on the Node that runs this and whatever else it
// finds. Words are passed on to `npm ci` and `npm install`: --omit=optional leaves out the Node that would be brought along.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isEnough, nodeBeside, refusal } from '../bin/on-node.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const words = process.argv.slice(2).join(' ')
const SENTENCE = refusal(process.versions.node).trim()

expectText(run(`npm ci --omit=dev ${words}`), /added \d+ packages/, /EBADENGINE/)
if (isEnough(process.versions.node) || nodeBeside() !== null) {
  expectText(run('npm run plan'), /^Plan: \d+ to create/m, /\.env not found|EBADENGINE/)
  inAnEmptyDirectory()
} else {
  for (const line of ['npm run plan', 'npm run demo', 'npm start', 'node bin/holdfast.js plan']) refuse(line)
}

function inAnEmptyDirectory() {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-package-'))
  // The compiler declares the types of the package.
  run('npm ci --ignore-scripts')
  run(`npm pack --pack-destination "${cwd}"`)
  const file = readdirSync(cwd).find((name) => name.endsWith('.tgz'))
  run('npm init --yes', cwd)
  run(`npm install --no-audit --no-fund ${words} "./${file}"`, cwd)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expectText(run('npx holdfast --version', cwd), new RegExp(`^${version}$`, 'm'))
  expectText(run('npx holdfast init site', cwd), /files written, 0 kept/)
  const site = join(cwd, 'site')
  expectText(run('npx holdfast validate', site), /The models are valid/)
  expectText(run('npx holdfast plan', site), /^Plan: \d+ to create/m)
  expectText(run('npx holdfast apply --yes', site), /^Applied: /m)
  expectText(run('npx holdfast export', site), /code: room-temperature/)
}

function refuse(line) {
  const { status, output } = runAnyhow(line)
  if (status !== 1 || !output.includes(SENTENCE) || /^ +at /m.test(output))
    fail(line, `no "${SENTENCE}" and code 1`, output)
}

function expectText(output, expected, unwanted) {
  if (!expected.test(output)) fail('the last command', `nothing like ${expected}`, output)
  if (unwanted !== undefined && unwanted.test(output)) fail('the last command', `something like ${unwanted}`, output)
}

function run(line, cwd = ROOT) {
  const { status, output } = runAnyhow(line, cwd)
  if (status !== 0) fail(line, `code ${status}`, output)
  return output
}

/** Through a shell, because npm is a script on Windows. */
function runAnyhow(line, cwd = ROOT) {
  process.stdout.write(`$ ${line}\n`)
  const { status, stdout, stderr } = spawnSync(line, { cwd, shell: true, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

function fail(line, what, output) {
  process.stdout.write(`${output}\n${line}: ${what}\n`)
  process.exit(1)
}
