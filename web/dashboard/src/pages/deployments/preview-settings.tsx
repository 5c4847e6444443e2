/** What gets a preview by itself, who may read it, and how long it stays. */
import { useState } from 'preact/hooks'
import { MOST_PREVIEW_DAYS } from '../../../../../src/contract/form-limits.ts'
import type { PreviewSettings } from '../../../../../src/contract/preview-deployments.ts'
import type { Publishing } from '../../../../../src/contract/publishing.ts'
import { internal } from '../../api/internal.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { SentForm, useSending } from '../../ui/form.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { wordsOf } from '../../ui/words-of.ts'

const MODES = [
  { value: 'off', label: 'Off', about: 'Only those that people ask for.' },
  { value: 'pull_requests', label: 'Pull requests', about: 'While they are open. Needs the webhook.' },
  { value: 'branches', label: 'Branches', about: 'Those whose names fit the patterns below.' },
] as const

const ACCESS = [
  {
    value: 'public',
    label: 'Anyone with the address',
    about: 'Nobody guesses it, and search engines stay away.',
  },
  { value: 'members', label: 'Members', about: 'After signing in to this dashboard.' },
  {
    value: 'password',
    label: 'By password',
    about: 'Passwords and signed links of the site, and its members.',
  },
] as const

const FIELDS = ['previews/branches', 'previews/days'] as const

export function PreviewSettingsForm({
  projectId,
  publishing,
  onSaved,
}: {
  projectId: string
  publishing: Publishing
  onSaved: (publishing: Publishing) => void
}) {
  const [wanted, setWanted] = useState<PreviewSettings>(publishing.previews)
  const [branches, setBranches] = useState(publishing.previews.branches.join(', '))
  const [days, setDays] = useState(String(publishing.previews.days))
  const sending = useSending(FIELDS)
  const set = (part: Partial<PreviewSettings>) => setWanted({ ...wanted, ...part })
  const save = async () => {
    const previews = { ...wanted, branches: wordsOf(branches), days: Number(days) }
    onSaved(await internal('updatePublishing', { params: { projectId }, body: { previews } }))
    toast({ kind: 'done', title: 'Saved' })
  }
  if (publishing.previewDomain === null) return <NoPreviews />
  return (
    <section class="space-y-4">
      <div>
        <h3 class="font-medium">Previews</h3>
        <p class="text-13 text-soft">
          Built with each push, told to the pull request, and removed when it is merged or closed.
        </p>
      </div>
      <SentForm id="preview-settings" sending={sending} onSubmit={save}>
        <div class="space-y-4">
          <Chosen {...{ wanted, set, branches, setBranches, days, setDays }} faults={sending.faults} />
          <Button type="submit" size="small" isBusy={sending.isBusy}>
            Save
          </Button>
        </div>
      </SentForm>
    </section>
  )
}

function Chosen({
  wanted,
  set,
  branches,
  setBranches,
  days,
  setDays,
  faults,
}: {
  wanted: PreviewSettings
  set: (part: Partial<PreviewSettings>) => void
  /** As they are typed. */
  branches: string
  setBranches: (text: string) => void
  days: string
  setDays: (text: string) => void
  faults: Partial<Record<(typeof FIELDS)[number], string>>
}) {
  return (
    <>
      <RadioGroup
        label="What gets a preview"
        choices={MODES}
        value={wanted.mode}
        onChange={(mode) => set({ mode })}
      />
      {wanted.mode === 'branches' && (
        <TextField
          label="Names of branches"
          hint="Separated by commas; * matches anything."
          error={faults['previews/branches']}
          value={branches}
          onText={setBranches}
        />
      )}
      <RadioGroup
        label="Who may read previews"
        choices={ACCESS}
        value={wanted.access}
        onChange={(access) => set({ access })}
      />
      <TextField
        label="Days after the last push"
        error={faults['previews/days']}
        type="number"
        min={1}
        max={MOST_PREVIEW_DAYS}
        value={days}
        onText={setDays}
      />
      <Switch
        label="Pull requests from forks"
        about="Anybody may open one, and what its pages run is run by whoever opens the preview."
        isOn={wanted.forks}
        onChange={(forks) => set({ forks })}
      />
    </>
  )
}

function NoPreviews() {
  return (
    <section>
      <h3 class="font-medium">Previews</h3>
      <p class="text-13 text-soft">
        The plan has no previews, or this server has no domain for them: its operator sets
        OCTAVO_PREVIEW_DOMAIN.
      </p>
    </section>
  )
}
