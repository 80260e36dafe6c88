import type { Plan } from '../../../../src/plan/plan.ts'
import { at, created, deleted, guard, managed, planOf, updated } from '../plan-builder.ts'
import { temperature, link, drift, heating } from './sample-records.ts'

export function deletes(): Plan {
  const reason = 'characteristics/flue-gas-temperature is deleted'
  return planOf({
    changes: [
      deleted('characteristics', 'flue-gas-temperature', temperature('flue-gas-temperature', { name: 'Flue gas' }), {
        impact: { components: 3, datapoints: 1204332 },
        referrers: [
          { type: 'characteristicServiceLinks', key: 'flue-gas-temperature/boiler' },
          { type: 'characteristicServiceLinks', key: 'flue-gas-temperature/chimney' },
        ],
        guards: [guard('deletes-data', '3 components, 1,204,332 datapoints would be lost; status: ARCHIVED keeps it')],
      }),
      deleted('characteristicServiceLinks', 'flue-gas-temperature/boiler', link('flue-gas-temperature', 'boiler'), {
        reason,
      }),
      deleted('characteristicServiceLinks', 'flue-gas-temperature/chimney', link('flue-gas-temperature', 'chimney'), {
        reason,
      }),
      deleted(
        'services',
        'heat-metering',
        { code: 'heat-metering', name: 'Heat metering', status: 'ACTIVATED' },
        { guards: [guard('protected', 'holdfast.yaml protects this record from being deleted')] },
      ),
      deleted(
        'users',
        'former.caretaker@lindenhof.example',
        { email: 'former.caretaker@lindenhof.example', name: 'Former caretaker', status: 'ARCHIVED' },
      ),
    ],
    scope: {
      characteristics: managed(86, 87),
      characteristicServiceLinks: managed(50, 52),
      services: managed(13, 14),
      users: managed(6, 7),
    },
  })
}

export function invalidated(): Plan {
  const [system, component] = ['6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c', '0d7a3c52-8d0b-4f0a-9a53-5a3c1b2f4e6d']
  const example = (at: string, value: string) => ({ at, value, system, component })
  return planOf({
    changes: [
      updated(
        'characteristics',
        'flow',
        temperature('flow', { boundaryMax: 110 }),
        temperature('flow', { boundaryMax: 90 }),
        {
          impact: { datapoints: 812 },
          guards: [
            {
              ...guard(
                'invalidates-data',
                'boundaryMax is lowered: at least 34 stored datapoints of 2 systems would no longer fit',
              ),
              examples: [
                example('2026-02-28T23:59:59.000Z', '91.5'),
                example('2026-03-01T00:00:09.000Z', '97'),
                example('2026-03-01T00:00:19.000Z', '103.25'),
              ],
            },
          ],
          ...at(heating, 12),
        },
      ),
      updated('characteristics', 'return', temperature('return'), temperature('return', { dataType: 'STRING' }), {
        impact: { datapoints: 812 },
        guards: [
          guard(
            'invalidates-data',
            'dataType FLOAT → STRING: stored data (812 datapoints of 3 systems) stays readable as FLOAT; to see it in pages, charts and figures, ask for dataType FLOAT',
            true,
          ),
          guard(
            'relabels-data',
            'symbol "°F" → "°C": what is stored (812 datapoints of 3 systems) keeps its values and would be read in the other unit',
          ),
        ],
        ...at(heating, 24),
      }),
    ],
    scope: { characteristics: managed(87) },
  })
}

export function drifted(): Plan {
  return planOf({
    changes: [
      created('characteristics', 'deleted-in-console', temperature('deleted-in-console'), {
        cause: 'drift',
        drift,
        ...at(heating, 12),
      }),
      updated(
        'characteristics',
        'changed-in-console',
        temperature('changed-in-console', { symbol: 'F' }),
        temperature('changed-in-console'),
        { cause: 'drift', drift, ...at(heating, 24) },
      ),
      updated(
        'characteristics',
        'changed-by-both',
        temperature('changed-by-both', { symbol: 'F' }),
        temperature('changed-by-both', { symbol: 'K' }),
        { cause: 'both', drift, ...at(heating, 36) },
      ),
      deleted('characteristics', 'created-in-console', temperature('created-in-console'), { cause: 'drift', drift }),
      deleted('characteristics', 'deleted-by-you', temperature('deleted-by-you'), {
        cause: 'both',
        drift: { actor: 'import-script', at: '2026-02-03T15:05:09+01:00' },
      }),
    ],
    scope: { characteristics: managed(87, 88) },
  })
}

export function scopes(): Plan {
  return planOf({
    changes: [
      deleted('dataSources', 'weather', { code: 'weather', name: 'Weather' }),
      deleted('metadataTypes', 'COMPONENT/serial', { entityType: 'COMPONENT', key: 'serial', dataType: 'STRING' }),
    ],
    scope: {
      characteristics: managed(87),
      characteristicServiceLinks: { ...managed(52, 60), owners: 14, previously: 'partial' },
      serviceComponentModelLinks: {
        ...managed(9, 31),
        state: 'released',
        owners: 3,
        guards: [
          guard(
            'leaves-scope',
            'this document manages only the serviceComponentModelLinks of 3 owners; the others are no longer managed',
            true,
          ),
        ],
      },
      dataSources: {
        state: 'emptied',
        previously: 'managed',
        files: 1,
        actual: 1,
        guards: [guard('empties-type', 'the document lists no dataSources: all 1 would be deleted')],
      },
      eventModels: {
        state: 'released',
        previously: 'managed',
        actual: 12,
        guards: [
          guard(
            'leaves-scope',
            '12 records stay behind; to delete them, write `eventModels: []`',
          ),
        ],
      },
      metadataTypes: {
        ...managed(5, 6),
        previously: null,
        guards: [
          guard(
            'takes-over',
            'no apply has managed all metadataTypes before, and 1 of them are not in the document: they would be deleted',
          ),
        ],
      },
      services: { ...managed(14, 14), previously: 'partial' },
      users: { actual: 7 },
    },
  })
}

export function massDelete(): Plan {
  const message = '7 of 9 characteristics would be deleted; more than 6 at once needs a second look'
  return planOf({
    changes: [...Array(7).keys()].map((index) =>
      deleted('characteristics', `old-${index}`, temperature(`old-${index}`), {
        impact: { datapoints: index },
        guards:
          index === 0
            ? []
            : [
                guard(
                  'deletes-data',
                  `${index} datapoint${index === 1 ? '' : 's'} would be lost; status: ARCHIVED keeps it`,
                ),
              ],
      }),
    ),
    scope: { characteristics: { ...managed(2, 9), guards: [guard('mass-delete', message)] } },
  })
}

export function driftedBelow(): Plan {
  const plan = planOf({ scope: { applicationConsumers: managed(4), machineUsers: managed(2), services: managed(14) } })
  const grace = { actor: 'grace@baumann.example', at: '2026-05-01T10:00:00.000Z' }
  return {
    ...plan,
    drift: [
      {
        type: 'applicationConsumers',
        key: 'portal',
        field: 'redirectUris',
        before: ['https://portal.example.com/callback'],
        after: ['https://elsewhere.example/callback', 'https://portal.example.com/callback'],
        ...grace,
      },
      { type: 'applicationConsumers', key: 'portal', field: 'scopes', before: null, after: ['service'], ...grace },
      { type: 'machineUsers', key: 'gateway', field: 'password', before: '(secret)', after: '(secret)', ...grace },
      {
        type: 'services',
        key: 'climate',
        field: 'description',
        before: 'Rooms',
        after: null,
        actor: 'operator',
        at: '2026-05-02T08:30:00.000Z',
      },
      { type: 'services', key: 'water', field: 'metadataKeyValueStore', at: '2026-05-02T08:31:00.000Z' },
    ],
  }
}
