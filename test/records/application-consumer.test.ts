import { describe, expect, it } from 'vitest'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'

async function findings(scopes: string): Promise<string[]> {
  const text = `applicationConsumers:
  - name: Portal
    slug: portal
    secret: \${env:PORTAL_SECRET}
    grantTypes: [PASSWORD]
    scopes: ${scopes}
`
  const cwd = workspace({ 'models/a.yaml': text })
  const { stdout } = await holdfast('validate', { cwd, env: { PORTAL_SECRET: 'a-secret-of-the-test' } })
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('The models are valid'))
}

describe('the scopes of an application consumer', () => {
  it('that exist say nothing', async () => {
    expect(await findings('[openid, service, model:plan]')).toEqual([])
  })

  it('that are misspelt are each shown where they stand', async () => {
    expect(await findings('[service, model:pln, Email]')).toEqual([
      'models/a.yaml:6:23: warning unknown-scope: the scope "model:pln" allows nothing on this platform. Did you mean "model:plan"?',
      'models/a.yaml:6:34: warning unknown-scope: the scope "Email" allows nothing on this platform. Did you mean "email"?',
    ])
  })

  it('that are like none are shown with those that exist', async () => {
    expect(await findings('[my-own-things]')).toEqual([
      expect.stringMatching(
        /^models\/a\.yaml:6:14: warning unknown-scope: .* Known are openid, email, profile, service, model:read,/,
      ),
    ])
  })
})
