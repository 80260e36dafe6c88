import { expect, it } from 'vitest'
import { statusOf } from '../../../../src/platform/access/accounts/status.ts'

it.each(['ACTIVATED', 'DEACTIVATED', 'ARCHIVED'])('what is %s is just that', (status) => {
  expect(statusOf({ status })).toBe(status)
})

it.each([{}, { status: null }, { status: 'activated' }, { status: 'SUSPENDED' }, { status: ['ACTIVATED'] }])(
  'what says %j of itself does not work',
  (body) => expect(statusOf(body)).toBe('DEACTIVATED'),
)
