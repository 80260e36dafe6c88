import { afterAll, beforeAll, expect, it } from 'vitest'
import { planOfPicture } from '../../scripts/plan-picture.ts'
import { pictureOf } from '../../scripts/terminal-picture.ts'
import { readPage } from './documents.ts'
import { openRealPlatform, type RealPlatform } from './real-platform.ts'

let platform: RealPlatform
beforeAll(async () => {
  platform = await openRealPlatform()
})
afterAll(() => platform.close())

/** Without what is another one each time: when, which digest, and of which platform. */
function lasting(text: string): string[] {
  const lines = text.replaceAll('\u00a0', ' ').split('\n')
  return lines.map((line) =>
    line
      .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/, 'TIME')
      .replace(/sha256:[0-9a-f]{64}/, 'DIGEST')
      .replace(/domain [^\s<]+/, 'domain')
      .trimEnd(),
  )
}

it('docs/plan.svg shows a plan of today (scripts/plan-picture.ts makes it anew)', async () => {
  const { openEmbedded } = platform.parts
  if (openEmbedded === undefined) throw new Error('there is no platform')
  const picture = readPage('docs/plan.svg')
  expect(lasting(picture)).toEqual(lasting(pictureOf(await planOfPicture(openEmbedded))))
  // What stops an apply is seen at once.
  expect(picture).toMatch(/<tspan fill="#ff7b72">Plan.is.blocked:/)
})
