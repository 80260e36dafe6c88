import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { putMigratedPglite } from '../support/migrated-pglite.ts'
import { isLong } from '../support/runs.ts'
import { launchChromium, NO_CHROMIUM } from '../browser/chromium.ts'
import { drawConsole } from '../pictures/draw-console.ts'
import { drawsPictures, lastDrawn } from '../pictures/draw-page.ts'
import { ended, freshClone, plainEnvironment, removeClone, type Ended } from './fresh-clone.ts'
import { takeNewUsersWay } from './new-user.ts'

// `npm run demo` in a fresh clone. The tests are one story and run in this order.

const STORY = { timeout: 180_000 }

let clone: string
/** The second demo, which runs until Ctrl-C, and what it has written. */
let second: { readonly child: ChildProcess; readonly end: Promise<Ended>; readonly shown: string }
beforeAll(() => {
  clone = freshClone()
  // To make the database takes as long as all else of the demo; first-light.test.ts begins without one.
  if (!isLong) putMigratedPglite(join(clone, '.holdfast-demo'))
})
afterAll(async () => {
  second?.child.kill('SIGKILL')
  await removeClone(clone)
})

function demo(...words: readonly string[]) {
  const env = { ...plainEnvironment(), PORT: drawsPictures ? '3000' : '0', HOLDFAST_URL: 'https://not.this.example' }
  return spawn(process.execPath, [join(clone, 'scripts/run.js'), 'demo', ...words], { cwd: clone, env })
}

it('makes a platform with houses that have a past', STORY, async () => {
  const { code, stdout, stderr } = await ended(demo('--days', drawsPictures ? '7' : '0.05', '--once'))
  expect(stderr).toMatch(/^Made demo secrets in \.env: [A-Z_, ]+\n$/)
  expect(stdout).toMatch(/^Applied: \d+ records created/m)
  expect(stdout).toMatch(/^The platform and its console are at http:\/\/127\.0\.0\.1:\d+$/m)
  expect(stdout).toMatch(/^Lindenhof 1 \(simulated\): made, 35 components/m)
  expect(stdout).toMatch(/^Row houses \(simulated\): made, 23 components/m)
  expect(stdout).toMatch(/^Sent [\d,]+ datapoints and \d+ events? from /m)
  // It ends with where to look and what to paste.
  expect(stdout).toMatch(/^ {2}sign in as operator, password \S{20,}$/m)
  expect(stdout).toMatch(/^ {2}Lindenhof 1 \(simulated\): http:\S+\/analyse\?(?:show=\S+&){4}window=7d$/m)
  const commands = [...stdout.matchAll(/^ {2}npm run (?:--silent )?(\w+) -- --data-dir \.holdfast-demo/gm)]
  const { scripts } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { scripts: object }
  expect(commands.length).toBeGreaterThan(2)
  for (const [, script = ''] of commands) expect(Object.keys(scripts)).toContain(script)
  expect(stdout).toMatch(/\nCtrl-C ends it; .*\n+$/)
  expect(code).toBe(0)
  // What somebody keeps beside it is left alone.
  expect(existsSync(join(clone, '.holdfast'))).toBe(false)
})

it('goes on where it ended', STORY, async () => {
  const child = demo()
  let shown = ''
  const end = ended(child)
  const isSending = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      if (shown.includes('Ctrl-C ends it.\n') && shown.includes('Sending what happens now')) resolve()
    })
  })
  await Promise.race([isSending, end])
  second = { child, end, shown }
  expect(shown).toContain('Sending what happens now')
})

it.skipIf(NO_CHROMIUM)('looks as in docs/; if not, run `npm run pictures` (needs Chromium)', STORY, async () => {
  const [, address = ''] = /^ {2}Lindenhof 1 \(simulated\): (\S+)$/m.exec(second.shown) ?? []
  const [, password = ''] = /^ {2}sign in as operator, password (\S+)$/m.exec(second.shown) ?? []
  const browser = await launchChromium()
  const today = await drawConsole(browser, address, password)
  await browser.close()
  expect(today).toBe(lastDrawn('console.txt', today))
})

it.skipIf(NO_CHROMIUM)('leads a new user to data and a setpoint of their own (needs Chromium)', STORY, async () => {
  const [, url = ''] = /^The platform and its console are at (\S+)$/m.exec(second.shown) ?? []
  const [, password = ''] = /^ {2}sign in as operator, password (\S+)$/m.exec(second.shown) ?? []
  const browser = await launchChromium()
  const client = JSON.parse(readFileSync(join(clone, '.holdfast-demo/credentials.json'), 'utf8')) as Client
  expect(await takeNewUsersWay(browser, { url, password, client })).toStrictEqual([])
  await browser.close()
})

interface Client {
  readonly client_id: string
  readonly client_secret: string
}

it('runs until Ctrl-C ends all of it in order', STORY, async () => {
  second.child.kill('SIGINT')
  const { code, stdout, stderr } = await second.end
  expect(stdout).toMatch(/^No changes/m)
  // What was said of the past is said once.
  expect(stdout.split('continues after ')).toHaveLength(3)
  expect(stdout).toMatch(/^Lindenhof 1 \(simulated\): found, .* continues after /m)
  expect(stdout).toMatch(
    /^Sent [\d,]+ datapoints and \d+ events?\. There is data up to .*; the next run continues there\.$/m,
  )
  expect({ code, stderr }).toStrictEqual({ code: 130, stderr: '' })
})

it('says what to do where the guards stop what somebody wrote into holdfast.yaml', STORY, async () => {
  appendFileSync(join(clone, 'models/holdfast.yaml'), '\naccess:\n  - { role: viewer, organization: lindenhof }\n')
  const { code, stdout, stderr } = await ended(demo('--once'))
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: .* the apply; nothing was applied$/m)
  expect(stdout).toContain('\n      - { code: takes-over, type: access, reason: … }\n')
  expect(stdout).toMatch(
    /^ {4}npm run demo -- --allow \S+(?: \\\n.*)*\n\nEither write .* models\/holdfast\.yaml and run the demo again, .*$/m,
  )
  // The plan itself, which may be long, is not between them.
  expect(stdout.split('\n').length).toBeLessThan(20)
  if (!isLong) return
  const allowed = [...stdout.matchAll(/(--allow) (\S+)/g)].flatMap(([, option = '', guard = '']) => [option, guard])
  const again = await ended(demo('--once', ...allowed))
  expect(again.stdout).toMatch(/^Applied: 3 grants changed/m)
  expect(again.code).toBe(0)
})

it('refuses what it does not know', async () => {
  const { code, stdout, stderr } = await ended(demo('--day', '1'))
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^error: Unknown option '--day'.*\n\nRuns a platform/)
})
