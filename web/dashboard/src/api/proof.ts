/** Asks for a recent re-authentication when a change requires it, and then repeats the request. */

/** Resolves with whether the user confirmed their identity. */
type Ask = () => Promise<boolean>

let ask: Ask = async () => false
let asking: Promise<boolean> | null = null

/** Registers the function that asks for the proof. */
export function whenProofIsNeeded(act: Ask): void {
  ask = act
}

/** Asks for a proof; concurrent requests share the same one. */
function proveAnew(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}

/** Sends a request and, if the session is not fresh, repeats it after a successful proof. */
export async function withProof(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  if (response.status !== 403) return response
  const { code } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return code === 'session_not_fresh' && (await proveAnew()) ? await send() : response
}
