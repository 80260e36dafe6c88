import type { Plan } from '../../../../src/plan/plan.ts'
import { breaking } from './plans-of-breaks.ts'
import { collapsed, firstPlan, moves, noChanges, notCompared, ownPart, secrets, updates } from './plans-of-changes.ts'
import { deletes, drifted, driftedBelow, invalidated, massDelete, scopes } from './plans-of-danger.ts'
import { driftedGrants, firstGrants, narrower, wider, withItsUser } from './plans-of-grants.ts'
import { diagnosed, hostile } from './plans-of-findings.ts'

/** One small plan for each thing that a person has to see, by the name of its golden files. */
export const GOLDEN_PLANS: { readonly [name: string]: Plan } = {
  '01-no-changes': noChanges(),
  '02-first-plan': firstPlan(),
  '03-updates': updates(),
  '04-deletes': deletes(),
  '05-invalidates-data': invalidated(),
  '06-drift': drifted(),
  '07-moves': moves(),
  '08-scope': scopes(),
  '09-mass-delete': massDelete(),
  '10-collapsed': collapsed(),
  '11-secrets': secrets(),
  '12-diagnostics': diagnosed(),
  '13-hostile': hostile(),
  '14-first-grants': firstGrants(),
  '15-wider-access': wider(),
  '16-narrower-access': narrower(),
  '17-grant-of-a-user': withItsUser(),
  '18-grants-drifted': driftedGrants(),
  '19-not-compared': notCompared(),
  '20-drift-below': driftedBelow(),
  '21-own-part': ownPart(),
  '22-breaks': breaking(),
}
