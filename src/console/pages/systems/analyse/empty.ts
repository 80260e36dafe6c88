import { exampleOf } from '../../../../records/data-types/data-type.ts'
import { html, type Html } from '../../../../server/html.ts'
import type { Visit } from '../../../page.ts'
import { hasRightAt } from '../../../visit-right.ts'
import { code, empty } from '../../../parts/block.ts'
import type { Look } from './look.ts'
import { nameOf } from './shape.ts'
import { seriesAddress } from './seen.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import { csrfField } from '../../../../server/login/csrf.ts'

/** Placeholder in a command until the person requests a token. */
export const NO_TOKEN = '••••••••••••'

interface Waiting {
  /** Null until the person requests a token. */
  readonly token: string | null
  /** The cursor before the first datapoint. */
  readonly after: string
}

/** The page of a system without datapoints. It explains how to send the first one. */
export function nothingYet(visit: Visit, look: Look, { token, after }: Waiting): Html {
  const { components, series, chosen } = look
  if (components.length === 0)
    return empty('This system has no components yet. Datapoints belong to a component’s characteristics.')
  const first = chosen[0] ?? series.find(({ isSupported }) => isSupported)
  if (first === undefined) return empty('The models of its components have no characteristics yet.')
  const count = components.length === 1 ? 'one component' : `${components.length} components`
  const words = html`<h2>Nothing has arrived yet</h2>
    <p>This system has ${count} and has never sent a datapoint.</p>`
  if (!hasRightAt(visit, 'datapoints:write', look.system))
    return html`<div class="first framed">${words} ${waiting(after)}</div>`
  return html`<div class="first framed">
    ${words}
    <div>Send one now. ${tokenForm(visit, token)}</div>
    ${code('first-datapoint', curlText(visit.origin, first, token ?? NO_TOKEN))}
    <p>
      It sends <strong>${nameOf(first)}</strong> of <strong>${first.componentName}</strong>. ${others(series, first)}
    </p>
    ${waiting(after)}
  </div>`
}

function tokenForm({ csrf }: Pick<Visit, 'csrf'>, token: string | null): Html {
  if (token !== null) return html`The token in it is yours, may only send datapoints, and lives for ten minutes.`
  return html`The dots stand for a token:
    <form method="post" class="inline">
      ${csrfField(csrf)}
      <button class="button" name="action" value="token">Insert one that expires after ten minutes</button>
    </form>`
}

function others(series: readonly SystemSeries[], first: SystemSeries): Html | null {
  const rest = series.filter((one) => one !== first && one.isSupported)
  if (rest.length === 0) return null
  return html`<details>
    <summary>Choose another one</summary>
    <ul>
      ${rest.slice(0, 50).map(
        (one) =>
          html`<li>
            <a href="?${new URLSearchParams({ show: seriesAddress(one) }).toString()}">${nameOf(one)}</a>
            <span class="soft">${one.componentName}</span>
          </li>`,
      )}
    </ul>
  </details>`
}

function waiting(after: string): Html {
  return html`<p class="soft" role="status" data-first-datapoint="${after}">
    <span aria-hidden="true">·</span> Waiting for the first datapoint.
    <span class="scripted">This page shows it as soon as it is here.</span>
    <a class="unscripted" href="">Look again</a>
  </p>`
}

/** The same example as in the documentation of the interface. */
export function curlText(origin: string, series: SystemSeries, token: string): string {
  return `curl --fail-with-body ${origin}/rest/v1/data-points/add \\
  --header 'Authorization: Bearer ${token}' --header 'Content-Type: application/json' \\
  --data '[{ "system_uuid": "${series.systemUuid}",
            "component_uuid": "${series.componentUuid}",
            "service_uuid": "${series.serviceUuid}",
            "characteristic_uuid": "${series.characteristicUuid}",
            "value": ${shellText(JSON.stringify(exampleOf(series.characteristic)))} }]'`
}

function shellText(text: string): string {
  return text.replaceAll("'", `'\\''`)
}
