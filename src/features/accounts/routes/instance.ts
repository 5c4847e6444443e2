/** Operator routes for the server itself: the language model. */

import { AppError, refuseFaults } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import { FORM_FAULTS } from '../../../base/errors/form-faults.ts'
import type { AddressGuard } from '../../../base/net/address-guard.ts'
import type { Tx } from '../../../database/database.ts'
import { keyPlace, keysFor, type ModelChoice, setupOf } from '../../../model/model-setup.ts'
import { tryModel } from '../../../model/try-model.ts'
import type { Handlers } from '../../../routing/handler.ts'
import type { INSTANCE_OPERATIONS } from '../operations/instance.ts'
import { sealInstanceSecret, writeInstanceSettings } from '../settings/instance-settings.ts'
import { choiceOf, type ModelViewDeps, modelView } from '../settings/model-settings.ts'
import { createTrialGate } from '../settings/trial-gate.ts'

export type InstanceDeps = ModelViewDeps & { modelGuard: AddressGuard }

/** Number of concurrent model tests in this process: each holds a database connection while it waits. */
const MOST_TRIALS = 2

export function instanceHandlers(deps: InstanceDeps): Handlers<typeof INSTANCE_OPERATIONS> {
  const throughGate = createTrialGate(MOST_TRIALS)
  return {
    getInstanceModel: async ({ db }) => ({ body: await modelView(deps, db) }),
    async updateInstanceModel({ tx, caller: { id: actor }, body }) {
      if (deps.environmentModel.given !== null) throw new AppError('set_by_environment')
      const { choice, keptKey } = await choiceOf(deps, tx, body)
      await storeChoice(deps, tx, { actor, choice, newKey: body.key ?? null, keepsKey: keptKey !== null })
      const key = body.key ? 'set' : keptKey === null ? 'none' : 'kept'
      return { body: await modelView(deps, tx), audit: { subject: 'model', details: { ...choice, key } } }
    },
    async testInstanceModel({ tx, body }) {
      const { choice, keptKey } = await choiceOf(deps, tx, body)
      const setup = setupOf(choice, body.key ?? keptKey, deps.environmentModel.keys)
      const settings = setup.model ?? setup.assistant
      if (settings === null) {
        refuseFaults([faultAt('/model', FORM_FAULTS.modelToTest)])
        throw new AppError('invalid_request')
      }
      const trial = await throughGate(() =>
        tryModel(settings, keysFor(setup, settings.name), deps.modelGuard),
      )
      const details = { model: settings.name, url: settings.url, answered: trial.failure === null }
      return { body: trial, audit: { subject: 'model', details } }
    },
  }
}

interface Stored {
  actor: string
  choice: ModelChoice
  newKey: string | null
  /** True when the request leaves the key unchanged. */
  keepsKey: boolean
}

async function storeChoice(
  { instanceSecrets }: InstanceDeps,
  tx: Tx,
  { actor, choice, newKey, keepsKey }: Stored,
): Promise<void> {
  await writeInstanceSettings(tx, actor, {
    model: choice.model,
    modelUrl: choice.url,
    modelContext: choice.contextTokens === null ? null : String(choice.contextTokens),
    assistantModel: choice.assistant,
    ...(keepsKey && newKey === null ? {} : { modelKey: null }),
  })
  const place = keyPlace(choice)
  if (newKey === null || place === null) return
  await sealInstanceSecret(tx, instanceSecrets, { actor, name: 'modelKey', place, secret: newKey })
}
