import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

// Takes the picture of the console for README.md, while `npm run demo` runs:
// `node scripts/console-picture.ts [http://localhost:3000] [docs/console.png]`. It needs Chromium (CHROMIUM_PATH).

const ROOT = join(import.meta.dirname, '..')
const [url = 'http://localhost:3000', path = join(ROOT, 'docs/console.png')] = process.argv.slice(2)

const SYSTEM = 'Row houses'
/** What the picture shows, by service and characteristic. */
const SHOWN = [
  'heat-metering/flow-temperature',
  'heat-metering/return-temperature',
  'heat-metering/thermal-power',
  'heat-generation/operating-mode',
  'vehicle-charging/charging-state',
]

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: 1360, height: 940 }, colorScheme: 'light', locale: 'en-GB' })
await page.goto(`${url}/systems`)
await signIn(page)
await page.getByRole('link', { name: SYSTEM }).click()
await page.getByRole('link', { name: 'Analyse' }).click()
await page.goto(`${page.url()}?window=24h&states=below&${await chosen(page)}`)
await page.waitForLoadState('networkidle')
await page.locator('canvas').first().waitFor()
await page.screenshot({ path })
await browser.close()

async function signIn(visitor: Page): Promise<void> {
  const file = join(ROOT, '.holdfast-demo/credentials.json')
  const { username, password } = JSON.parse(readFileSync(file, 'utf8')) as { username: string; password: string }
  await visitor.getByLabel('E-mail address or user name').fill(username)
  await visitor.getByLabel('Password').fill(password)
  await visitor.getByRole('button', { name: 'Sign in' }).click()
}

/** Of each the first that the system has. */
async function chosen(visitor: Page): Promise<string> {
  const boxes = visitor.locator('input[name=show]')
  await boxes.first().waitFor()
  const all = await boxes.evaluateAll((found) => found.map((box) => box.getAttribute('value') ?? ''))
  const values = SHOWN.flatMap((code) => all.find((value) => value.endsWith(`/${code}`)) ?? [])
  return values.map((value) => `show=${encodeURIComponent(value)}`).join('&')
}
