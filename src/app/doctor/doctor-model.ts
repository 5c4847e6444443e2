/** `octavo doctor`, for the language model: the one of the environment, or the one that an operator set on the dashboard. */
import { existsSync } from 'node:fs'
import { AddressRefusedError } from '../../base/net/address-guard.ts'
import { portOf } from '../../base/net/guarded-fetch.ts'
import { chosenModel } from '../../model/model-setup.ts'
import type { ModelSettings } from '../../model/open-model.ts'
import { PROVIDERS, parseModelName } from '../../model/providers.ts'
import { egressGuard } from '../egress.ts'
import { readChosenSettings } from './doctor-settings.ts'
import { type Finding, fault, ok, type Patient } from './finding.ts'
import { reach } from './reach.ts'

const CHECK = 'model'

export async function checkModel(patient: Patient): Promise<Finding | null> {
  const { agent, assistant } = patient.config
  const given = agent.model ?? assistant.model
  if (given === null) return await checkChosenModel(patient)
  if (given.replayFile === null)
    return await reachModel(patient, given, 'Start the model server, or correct OCTAVO_MODEL_URL.')
  if (existsSync(given.replayFile)) return ok(CHECK, `A recording, ${given.name}.`)
  return fault(CHECK, `There is no recording ${given.replayFile}.`, 'Correct OCTAVO_MODEL.')
}

async function checkChosenModel(patient: Patient): Promise<Finding | null> {
  const settings = await readChosenSettings(patient)
  if (settings === 'not running')
    return ok(CHECK, 'The environment names none; what the dashboard says is seen while the server runs.')
  // Of which another line speaks.
  if (settings === 'away') return null
  const { model, assistant, url } = chosenModel(settings)
  const name = model ?? assistant
  if (name === null) return ok(CHECK, 'None is configured, so agent jobs are off.')
  return await reachModel(
    patient,
    { name, url },
    'Start the model server, or correct its address on the page Server of the dashboard.',
  )
}

async function reachModel(
  { config }: Patient,
  { name, url: own }: Pick<ModelSettings, 'name' | 'url'>,
  remedy: string,
): Promise<Finding | null> {
  const { provider } = parseModelName(name)
  const url = own ?? (provider === 'replay' ? null : PROVIDERS[provider].url)
  if (url === null) return null
  const guard = egressGuard(config, 'models')
  const { hostname, protocol, port } = new URL(url)
  try {
    await guard.addressesOf(hostname, portOf({ protocol, port }))
  } catch (error) {
    if (error instanceof AddressRefusedError)
      return fault(CHECK, `${name} is not asked. ${guard.refusal}`, 'Name its host there.')
  }
  return await reach(CHECK, name, url, remedy)
}
