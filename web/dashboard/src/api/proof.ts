/** Some changes need a recent proof that it is oneself: it is asked for in one place, and the request is sent once more. */

/** Answers whether the proof was given. */
type Ask = () => Promise<boolean>

let ask: Ask = async () => false
let asking: Promise<boolean> | null = null

/** How the proof is asked for. */
export function whenProofIsNeeded(act: Ask): void {
  ask = act
}

/** Requests that need it at the same time wait for the same proof. */
function proveAnew(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}

/** The answer, or that of the same request after the proof. */
export async function withProof(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  if (response.status !== 403) return response
  const { code } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return code === 'session_not_fresh' && (await proveAnew()) ? await send() : response
}
