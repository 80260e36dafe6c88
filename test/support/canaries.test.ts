import { expect, it } from 'vitest'
import { CanaryDetector, makeCanary } from './canaries.ts'

const canary = makeCanary('the secret')
const detector = new CanaryDetector([canary, makeCanary('another one')])
const { text } = canary

it.each([
  ['plain', `secret: ${text};`],
  ['a part', `…${text.slice(3, 15)}…`],
  ['JSON', JSON.stringify({ secret: text })],
  ['JSON', JSON.stringify(JSON.stringify({ secret: text }))],
  ['URL', `?secret=${encodeURIComponent(text)}`],
  ['URL', new URLSearchParams({ secret: text }).toString()],
  ['hex', Buffer.from(text).toString('hex')],
  ['hex', Buffer.from(`x${text}y`).toString('hex').toUpperCase()],
  ['base64', Buffer.from(text).toString('base64')],
  ['base64', Buffer.from(`client:${text}`).toString('base64')],
  ['base64', Buffer.from(`client1:${text}`).toString('base64')],
  ['base64', Buffer.from(`a_client:${text}`).toString('base64')],
  ['base64url', Buffer.from(`${text}${text}`).toString('base64url')],
])('is found as %s', (_, output) => {
  expect(detector.findIn(output).join()).toMatch(/^the secret/)
})

it('is found in the cause and the details of an error, and in members that are not listed', () => {
  const hidden = Object.defineProperty({}, 'secret', { value: text, enumerable: false })
  expect(detector.findInValue(new Error('failed', { cause: new Error(text) }))).not.toStrictEqual([])
  expect(
    detector.findInValue(Object.assign(new Error('failed'), { details: [{ deep: { deeper: [[text]] } }] })),
  ).not.toStrictEqual([])
  expect(detector.findInValue(hidden)).not.toStrictEqual([])
})

it('is not found where it is not', () => {
  expect(detector.findIn(`${text.slice(0, 11)} ${makeCanary('unknown').text}`)).toStrictEqual([])
})
