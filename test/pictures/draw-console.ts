import type { Browser } from 'playwright-core'
import { newVisitor } from '../browser/chromium.ts'
import { signIn } from '../support/console-server.ts'
import { drawPage, drawsPictures } from './draw-page.ts'

/** The text that the pictures of the console are drawn of. The address is the one that the demo prints for its first house. */
export async function drawConsole(browser: Browser, address: string, password: string): Promise<string> {
  const look = { viewport: { width: 1_280, height: 920 }, deviceScaleFactor: 2, locale: 'en-GB', timezoneId: 'UTC' }
  const { context, page } = await newVisitor(browser, look)
  await page.goto(address)
  await signIn(page, { email: 'operator', password })
  await page.waitForURL(address)
  await page.locator('#picture[data-is-drawn]').waitFor()
  if (drawsPictures) {
    await page.getByText(/applied after/).waitFor({ state: 'attached' })
    await drawPage(page, 'console')
  }
  const answer = await page.request.get(address)
  const parts = await page.evaluate(partsOf, await answer.text())
  await context.close()
  return `${parts.join('\n')}\n`
}

/**
 * Runs in the page: the addresses of style, scripts and letters, which have their digests, and the words that are the same
 * with each value. The script draws the rest.
 */
function partsOf(html: string): readonly string[] {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const addresses = [...page.querySelectorAll('link[rel=preload], link[rel=stylesheet], script')].map(
    (one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '',
  )
  const words = [
    ...page.querySelectorAll('.bar a, .bar button, h1, .tabs a, #toolbar, #chooser :is(h2, legend, .name)'),
  ]
  const date = /(?:[A-Z][a-z]{2} )?0 [A-Z][a-z]{2,3}(?: 0)? 0:0/g
  const texts = words.map(({ textContent }) =>
    textContent.replaceAll(/\s+/g, ' ').replaceAll(/\d+/g, '0').replaceAll(date, 'date').trim(),
  )
  return [...addresses, ...new Set(texts)]
}
