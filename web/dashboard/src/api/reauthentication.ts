/** Asks for a recent re-authentication when a change requires it, and then repeats the request. */

/** Resolves with whether the user confirmed their identity. */
type ReauthenticationPrompt = () => Promise<boolean>

let promptReauthentication: ReauthenticationPrompt = async () => false
let pendingReauthentication: Promise<boolean> | null = null

/** Registers the function that asks for the proof. */
export function onReauthenticationRequired(handler: ReauthenticationPrompt): void {
  promptReauthentication = handler
}

/** Asks for a proof; concurrent requests share the same one. */
function reauthenticate(): Promise<boolean> {
  pendingReauthentication ??= promptReauthentication().finally(() => {
    pendingReauthentication = null
  })
  return pendingReauthentication
}

/** Sends a request and, if the session is not fresh, repeats it after a successful proof. */
export async function withReauthentication(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  if (response.status !== 403) return response
  const { code } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return code === 'session_not_fresh' && (await reauthenticate()) ? await send() : response
}
