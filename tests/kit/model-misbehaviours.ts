/**
 * A model server that behaves badly, in every way that one was seen or feared to. Each does it at every request: a
 * script decides when. Names say what it does; `becomes` what the port must make of one such answer.
 */
import type { Misbehaviour } from './misbehaviours/behaviour.ts'
import { FAILING_SERVERS } from './misbehaviours/failing-servers.ts'
import { ODD_ANSWERS } from './misbehaviours/odd-answers.ts'
import { type ModelServer, refuses, startModelServer } from './model-server.ts'

export type { Misbehaviour }

export const MISBEHAVIOURS = { ...FAILING_SERVERS, ...ODD_ANSWERS } satisfies Record<string, Misbehaviour>

export type MisbehaviourName = keyof typeof MISBEHAVIOURS

/** A server that does nothing but this. */
export function startMisbehaving(name: MisbehaviourName): Promise<ModelServer> {
  return startModelServer(() => MISBEHAVIOURS[name].behave)
}

/** An address at which nobody listens, since the server there has just gone. */
export async function abandonedAddress(): Promise<string> {
  await using server = await startModelServer(() => refuses(500, 'gone'))
  return server.url
}
