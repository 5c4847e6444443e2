/** Operator routes for the server itself: the language model. */

import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import type { AddressGuard } from '../../../base/net/address-guard.ts'
import type { Tx } from '../../../database/database.ts'
import {
  createSetup,
  findKeyDestination,
  type ModelChoice,
  selectModelKeys,
} from '../../../model/model-setup.ts'
import { testModel } from '../../../model/test-model.ts'
import type { Handlers } from '../../../routing/handler.ts'
import type { INSTANCE_OPERATIONS } from '../operations/instance.ts'
import { createConcurrencyLimit } from '../settings/concurrency-limit.ts'
import { sealInstanceSecret, writeInstanceSettings } from '../settings/instance-settings.ts'
import { type ModelViewDeps, modelView, readModelChoice } from '../settings/model-settings.ts'

type InstanceDeps = ModelViewDeps & { modelGuard: AddressGuard }

/** Maximum number of concurrent model tests in this process: each holds a database connection while it waits. */
const MAX_CONCURRENT_TESTS = 2

export function instanceHandlers(deps: InstanceDeps): Handlers<typeof INSTANCE_OPERATIONS> {
  const withinLimit = createConcurrencyLimit(MAX_CONCURRENT_TESTS)
  return {
    getInstanceModel: async ({ db }) => ({ body: await modelView(deps, db) }),
    async updateInstanceModel({ tx, caller: { id: actor }, body }) {
      if (deps.environmentModel.given !== null) throw new AppError('set_by_environment')
      const { choice, existingKey: storedKey } = await readModelChoice(deps, tx, body)
      await storeChoice(deps, tx, { actor, choice, newKey: body.key ?? null, keepsKey: storedKey !== null })
      const key = body.key ? 'set' : storedKey === null ? 'none' : 'kept'
      return { body: await modelView(deps, tx), audit: { subject: 'model', details: { ...choice, key } } }
    },
    async testInstanceModel({ tx, body }) {
      const { choice, existingKey: storedKey } = await readModelChoice(deps, tx, body)
      const setup = createSetup(choice, body.key ?? storedKey, deps.environmentModel.keys)
      const settings = setup.model ?? setup.assistant
      if (settings === null) {
        assertNoFaults([faultAt('/model', 'no_model_to_test')])
        throw new AppError('invalid_request')
      }
      const testResult = await withinLimit(() =>
        testModel(settings, selectModelKeys(setup, settings.name), deps.modelGuard),
      )
      const details = { model: settings.name, url: settings.url, answered: testResult.failure === null }
      return { body: testResult, audit: { subject: 'model', details } }
    },
  }
}

interface StoredModelChoice {
  actor: string
  choice: ModelChoice
  newKey: string | null
  keepsKey: boolean
}

async function storeChoice(
  { instanceSecrets }: InstanceDeps,
  tx: Tx,
  { actor, choice, newKey, keepsKey }: StoredModelChoice,
): Promise<void> {
  await writeInstanceSettings(tx, actor, {
    model: choice.model,
    modelUrl: choice.url,
    modelContext: choice.contextTokens === null ? null : String(choice.contextTokens),
    assistantModel: choice.assistant,
    ...(keepsKey && newKey === null ? {} : { modelKey: null }),
  })
  const keyDestination = findKeyDestination(choice)
  if (newKey === null || keyDestination === null) return
  await sealInstanceSecret(tx, instanceSecrets, {
    actor,
    name: 'modelKey',
    secretDestination: keyDestination,
    secret: newKey,
  })
}
