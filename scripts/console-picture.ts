import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

// Takes the picture of the console for README.md, while `npm run demo` runs, of the address that it prints for its first
// house: `node scripts/console-picture.ts 'http://localhost:3000/systems/…/analyse?show=…'`. CHROMIUM_PATH says which Chromium.

const ROOT = join(import.meta.dirname, '..')
const [address = 'http://localhost:3000/'] = process.argv.slice(2)

const credentials = readFileSync(join(ROOT, '.holdfast-demo/credentials.json'), 'utf8')
const { username, password } = JSON.parse(credentials) as { username: string; password: string }
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: 1360, height: 940 }, colorScheme: 'light', locale: 'en-GB' })
await page.goto(address)
await page.getByLabel('E-mail address or user name').fill(username)
await page.getByLabel('Password').fill(password)
await page.getByRole('button', { name: 'Sign in' }).click()
await page.waitForURL(address)
await page.locator('canvas').first().waitFor()
// The page as it stays: letters are there, and what is drawn when it is idle.
await page.evaluate(() => document.fonts.ready)
await page.waitForTimeout(1000)
await page.screenshot({ path: join(ROOT, 'docs/console.png') })
await browser.close()
