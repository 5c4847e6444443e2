/** JavaScript API for the site's scripts, with Mintlify's documented names. These scripts run after this one. */
import { type ServerVariables, VARIABLES_EVENT } from './server-variables.ts'

interface ScriptGlobals {
  mintlify?: Record<string, unknown>
  __octavoServerVariables?: ServerVariables
}

export function initSiteScripts(): void {
  const globals = globalThis as ScriptGlobals
  const setVariables = (serverVariables: ServerVariables) => {
    globals.__octavoServerVariables = serverVariables
    dispatchEvent(new Event(VARIABLES_EVENT))
  }
  const playground = {
    setServerVariables: (values: unknown) => setVariables(pickTextValues(values)),
    clearServerVariables: () => setVariables({}),
  }
  globals.mintlify = Object.assign(globals.mintlify ?? {}, { api: { playground } })
  // Readers are anonymous: `mintlify.user` stays undefined, and the event is sent once the scripts can
  // receive it.
  addEventListener('DOMContentLoaded', () =>
    dispatchEvent(new CustomEvent('mintlify:user', { detail: null })),
  )
}

function pickTextValues(values: unknown): ServerVariables {
  if (typeof values !== 'object' || values === null) return {}
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
