/** Prompts the user to re-authenticate when a change requires it, and then repeats the request. */

/** Resolves to true if the user confirmed their identity. */
type ReauthenticationPrompt = () => Promise<boolean>

let promptReauthentication: ReauthenticationPrompt = async () => false
let pendingReauthentication: Promise<boolean> | null = null

export function onReauthenticationRequired(handler: ReauthenticationPrompt): void {
  promptReauthentication = handler
}

/** Prompts for re-authentication; concurrent requests share one prompt. */
function reauthenticate(): Promise<boolean> {
  pendingReauthentication ??= promptReauthentication().finally(() => {
    pendingReauthentication = null
  })
  return pendingReauthentication
}

/** Sends a request and, if the session is not fresh, repeats it after a successful re-authentication. */
export async function withReauthentication(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  if (response.status !== 403) return response
  const { code } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return code === 'session_not_fresh' && (await reauthenticate()) ? await send() : response
}
