/**
 * Model servers that misbehave in every way seen or expected so far. Each misbehaves on every request; a script decides
 * when it is used. The name describes the misbehaviour, `becomes` the expected outcome of a single such answer.
 */
import type { Misbehaviour } from './misbehaviours/behaviour.ts'
import { FAILING_SERVERS } from './misbehaviours/failing-servers.ts'
import { ODD_ANSWERS } from './misbehaviours/odd-answers.ts'
import { type ModelServer, refuses, startModelServer } from './model-server.ts'

export type { Misbehaviour }

export const MISBEHAVIOURS = { ...FAILING_SERVERS, ...ODD_ANSWERS } satisfies Record<string, Misbehaviour>

export type MisbehaviourName = keyof typeof MISBEHAVIOURS

export function startMisbehaving(name: MisbehaviourName): Promise<ModelServer> {
  return startModelServer(() => MISBEHAVIOURS[name].behave)
}

/** Returns an address that refuses connections, because its server has just been stopped. */
export async function abandonedAddress(): Promise<string> {
  await using server = await startModelServer(() => refuses(500, 'gone'))
  return server.url
}
