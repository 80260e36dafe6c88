import type { Plan } from '../../../../src/plan/plan.ts'
import { at, deleted, managed, planOf, updated } from '../plan-builder.ts'
import { heating, link, mode } from './sample-records.ts'

export function breaking(): Plan {
  const { options, ...body } = mode
  const fewer = { ...body, options: Array.isArray(options) ? options.slice(0, 1) : [] }
  const plan = planOf({
    changes: [
      updated('characteristics', 'heat-pump-mode', mode, fewer, at(heating, 12)),
      deleted('characteristicServiceLinks', 'window-open/room-control', link('window-open', 'room-control')),
    ],
    scope: { characteristics: managed(12), characteristicServiceLinks: managed(3, 4) },
  })
  const models = ['floor-heating', 'room-display', 'room-thermostat', 'thermostat-valve', 'wall-thermostat']
  return {
    ...plan,
    breaks: {
      count: 24,
      members: [
        { type: 'componentModels', keys: ['heat-pump'], member: 'heating/*', change: 'removed' },
        {
          type: 'componentModels',
          keys: ['heat-pump'],
          member: 'heating/heat-pump-mode',
          change: "no longer 'heating', 'off'",
        },
        { type: 'componentModels', keys: models, count: 12, member: 'room-control/window-open', change: 'removed' },
        { type: 'eventModels', keys: ['window-open'], change: "eventType 'RANGED' → 'SINGLE_POINT'" },
        ...[...Array(20).keys()].map((index) => ({
          type: 'metadataTypes' as const,
          keys: [`COMPONENT/note-${index}`],
          change: 'string → number',
        })),
      ],
    },
  }
}
