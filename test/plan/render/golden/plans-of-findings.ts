import type { Plan } from '../../../../src/plan/plan.ts'
import { at, created, deleted, guard, managed, planOf, updated } from '../plan-builder.ts'
import { heating, temperature } from './sample-records.ts'

export function diagnosed(): Plan {
  return planOf({
    changes: [created('services', 'climate', { code: 'climate', name: 'Climate' }, at(heating, 3))],
    scope: { services: managed(1, 0) },
    diagnostics: [
      {
        severity: 'warning',
        code: 'unused-acknowledgement',
        message: 'the acknowledgement of deletes-data for characteristics/old stops nothing any more; remove it',
        pointer: '',
      },
      {
        severity: 'error',
        code: 'duplicate-identity',
        message: 'the service "climate" is described twice',
        pointer: '/services/1',
        file: 'models/rooms.yaml',
        line: 9,
        column: 5,
        related: [{ pointer: '/services/0', file: heating, line: 3, column: 5 }],
      },
      {
        severity: 'error',
        code: 'not-found',
        message: 'no characteristic has the code "humidty". Did you mean "humidity"?',
        pointer: '/services/1/characteristics/0/code',
      },
    ],
  })
}

export function hostile(): Plan {
  const name = '\u001b[2J\u202etxt.exe\r\n- services/billing'
  return planOf({
    domain: 'local\n## Approved',
    changes: [
      updated(
        'characteristics',
        'a`b',
        temperature('a`b', { name: '</details><!--', description: '@everyone see #1 https://evil.example | ```' }),
        temperature('a`b', { name, description: `${'`'.repeat(30)}${'x'.repeat(10_000)}` }),
        at('models/`[x](y)|.yaml', 1),
      ),
      deleted(
        'services',
        'x\n```\n</details>@everyone',
        { code: 'x', name },
        { guards: [guard('deletes-data', '1 datapoint would be lost\n``` @everyone')] },
      ),
      created(
        'users',
        '(was admin)',
        { email: '(was admin)', name: 'a → b' },
        { cause: 'drift', drift: { actor: '@org/team\u0007', at: 'yesterday\n' }, ...at('models/access.yaml', 2) },
      ),
    ],
    scope: { characteristics: managed(1), services: managed(0, 1), users: managed(1, 0) },
    diagnostics: [
      {
        severity: 'warning',
        code: 'odd',
        message: 'the name "\u001b[31m" is odd\n::error::',
        pointer: '/services/0',
        file: 'models/a\u202e.yaml',
        line: 1,
        column: 1,
      },
    ],
  })
}
