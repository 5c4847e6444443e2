import type { InstanceModel } from '../../../../../src/contract/instance.ts'
import { Card, Notice } from '../../ui/card.tsx'
import { count } from '../../ui/numbers.ts'

/** What the environment says is shown, and changed there. */
export function ModelGiven({ model }: { model: InstanceModel }) {
  const { variables, contextUsed, key } = model
  const rows = [
    ['Agent jobs', model.model ?? 'off'],
    ['Assistant of sites', model.assistant ?? 'off'],
    ['Address', model.url ?? 'the provider’s own'],
    ['Key', key === null ? 'none' : 'set'],
    ...(contextUsed === null ? [] : [['Context', `${count(contextUsed)} tokens`]]),
  ]
  return (
    <>
      <Notice title="Set by the environment">
        To set the model here, take {variables.join(', ')} out of the environment of the server and restart
        it.
      </Notice>
      <Card>
        <dl class="divide-y divide-line text-13">
          {rows.map(([label, value]) => (
            <div key={label} class="flex flex-wrap justify-between gap-x-4 px-4 py-2.5">
              <dt class="text-soft">{label}</dt>
              <dd class="min-w-0 font-medium break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  )
}
