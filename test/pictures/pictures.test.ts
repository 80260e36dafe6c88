import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchChromium, newVisitor } from '../browser/chromium.ts'
import { commentPage } from './draw-comment.ts'
import { drawPage, drawsPictures, fontFaces, lastDrawn } from './draw-page.ts'
import { drawTerminal } from './draw-terminal.ts'
import { makeSamplePlan } from './sample-plan.ts'

// test/end-to-end/demo.test.ts has the picture of the console, because it starts the demo.

const PLAN = join(import.meta.dirname, '../../docs/plan.svg')

it('the pictures of a plan show the plan of today; if not, run `npm run pictures`', async () => {
  const { terminal, comment } = await makeSamplePlan()
  const [svg, page] = [drawTerminal(terminal), commentPage(comment)]
  if (drawsPictures) {
    writeFileSync(PLAN, svg)
    await drawComment(page)
  }
  expect(svg).toBe(readFileSync(PLAN, 'utf8'))
  // What stops an apply is seen at once.
  expect(svg).toMatch(/<tspan fill="#ff7b72">Plan.is.blocked:/)
  expect(page).toBe(lastDrawn('comment.html', page))
})

async function drawComment(html: string): Promise<void> {
  const browser = await launchChromium()
  const { page } = await newVisitor(browser, { deviceScaleFactor: 2 })
  await page.setContent(html)
  await page.addStyleTag({ content: fontFaces() })
  await page.setViewportSize(await page.evaluate(() => ({ width: 892, height: document.body.offsetHeight })))
  await drawPage(page, 'comment')
  await browser.close()
}
