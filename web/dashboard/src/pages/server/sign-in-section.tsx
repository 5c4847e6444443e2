import { useState } from 'preact/hooks'
import type { InstanceSignIn, ProviderTrial } from '../../../../../src/contract/instance-sign-in.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/card.tsx'
import { SaveOrDiscard, SentForm, useSending } from '../../ui/form.tsx'
import { Switch } from '../../ui/switch.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { bodyOfRule, draftOfRule, SecondFactorFields } from '../organization/second-factor-fields.tsx'
import { bodyOf, draftOf, type ProviderDraft } from './provider-draft.ts'
import { ProviderFields } from './provider-fields.tsx'

const FIELDS = ['issuer', 'clientId', 'secret', 'name', 'domains', 'organizationId', 'role'] as const

/** How people sign in to this server. */
export function SignInSection({ signIn }: { signIn: InstanceSignIn }) {
  return (
    <>
      {signIn.source === 'environment' ? <ProviderGiven signIn={signIn} /> : <ProviderForm signIn={signIn} />}
      <RulesForm key={String(signIn.passwords)} signIn={signIn} />
      {signIn.changedAt !== null && (
        <p class="mt-2 text-13 text-soft">
          Changed <RelativeTime at={signIn.changedAt} /> by {signIn.changedBy ?? 'a former member'}.
        </p>
      )}
    </>
  )
}

async function keep(saved: InstanceSignIn): Promise<void> {
  queryClient.setQueryData(internalKey('getInstanceSignIn'), saved)
  await reloadSession()
}

/** What the environment says is shown, and changed there. */
function ProviderGiven({ signIn }: { signIn: InstanceSignIn }) {
  const rows = [
    ['Issuer', signIn.issuer ?? ''],
    ['Client id', signIn.clientId ?? ''],
    ['Button', signIn.name],
    ['Domains that join', signIn.domains.length === 0 ? 'none' : signIn.domains.join(', ')],
    ['Redirect address', signIn.redirectUrl],
  ]
  return (
    <>
      <Notice title="Single sign-on is set by the environment">
        To set it here, take {signIn.variables.join(', ')} out of the environment of the server and restart
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

/** Saving looks at the provider first: what nobody could sign in with is stored only when somebody says so. */
function ProviderForm({ signIn }: { signIn: InstanceSignIn }) {
  const { draft, set, isDirty, sending, trial, isTesting, test, save } = useProviderForm(signIn)
  return (
    <Card class="p-4">
      <UnsavedGuard isDirty={isDirty} what="Single sign-on" />
      {signIn.secret?.isUsable === false && (
        <Notice tone="warning" title="The stored client secret cannot be used">
          It was given for another issuer, or the secret of the server has changed. Enter it again.
        </Notice>
      )}
      <SentForm sending={sending} onSubmit={() => save(false)} noValidate>
        <div class="mb-4">
          <Switch
            label="Single sign-on"
            about="By an OpenID Connect provider: Keycloak, Entra ID, Google, Okta and others."
            isOn={draft.isOn}
            onChange={(isOn) => set({ isOn })}
          />
        </div>
        {draft.isOn && (
          <ProviderFields signIn={signIn} draft={draft} faults={sending.faults} onChange={set} />
        )}
        {trial !== null && (
          <ProviderTrialNotice trial={trial} onSaveAnyway={() => void sending.send(() => save(true))} />
        )}
        <div class="flex flex-wrap gap-2">
          <Button type="submit" look="primary" disabled={!isDirty} isBusy={sending.isBusy && !isTesting}>
            Save
          </Button>
          {draft.isOn && (
            <Button disabled={sending.isBusy} isBusy={isTesting} onClick={test}>
              Test
            </Button>
          )}
        </div>
      </SentForm>
    </Card>
  )
}

function useProviderForm(signIn: InstanceSignIn) {
  const [draft, setDraft] = useState(() => draftOf(signIn))
  const [trial, setTrial] = useState<ProviderTrial | null>(null)
  const [isTesting, setTesting] = useState(false)
  const sending = useSending(FIELDS)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(signIn))
  const set = (change: Partial<ProviderDraft>) => {
    setDraft({ ...draft, ...change })
    setTrial(null)
  }
  const ask = async () => {
    const asked = await internal('testInstanceProvider', { body: bodyOf(draft) })
    setTrial(asked)
    return asked
  }
  const test = () => {
    setTrial(null)
    setTesting(true)
    void sending.send(ask).finally(() => setTesting(false))
  }
  const save = async (isUntested: boolean) => {
    if (!isUntested && draft.isOn && (await ask()).faults.length > 0) return
    const saved = await internal('updateInstanceProvider', { body: bodyOf(draft) })
    setDraft(draftOf(saved))
    await keep(saved)
    toast({ kind: 'done', title: 'Single sign-on is saved' })
  }
  return { draft, set, isDirty, sending, trial, isTesting, test, save }
}

function ProviderTrialNotice({ trial, onSaveAnyway }: { trial: ProviderTrial; onSaveAnyway: () => void }) {
  const { faults, notes } = trial
  const isFine = faults.length === 0
  return (
    <div role={isFine ? 'status' : 'alert'}>
      <Notice
        tone={isFine ? 'success' : 'danger'}
        title={isFine ? 'The provider answers, and knows this client' : 'Nobody could sign in with this'}
        actions={
          !isFine && (
            <Button size="small" onClick={onSaveAnyway}>
              Save anyway
            </Button>
          )
        }
      >
        <ul>
          {[...faults, ...notes].map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {isFine && <p>Register the redirect address there, then sign in once to be sure.</p>}
      </Notice>
    </div>
  )
}

/** Holds for everybody on the server, whatever their organizations ask for. */
function RulesForm({ signIn }: { signIn: InstanceSignIn }) {
  const sending = useSending()
  const initial = { passwords: signIn.passwords, rule: draftOfRule(signIn.secondFactor) }
  const [draft, setDraft] = useState(initial)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const isAlone = signIn.issuer === null
  const save = async () => {
    const { passwords, rule } = draft
    const saved = await internal('updateInstanceSignIn', {
      body: { ...(isAlone ? {} : { passwords }), secondFactor: bodyOfRule(rule) },
    })
    setDraft({ passwords: saved.passwords, rule: draftOfRule(saved.secondFactor) })
    await keep(saved)
    toast({ kind: 'done', title: 'How people sign in is saved' })
  }
  return (
    <Card class="mt-4 p-4">
      <UnsavedGuard isDirty={isDirty} what="How people sign in" />
      <SentForm sending={sending} onSubmit={save}>
        <Switch
          label="Sign in with a password"
          about={
            isAlone
              ? 'Without single sign-on, passwords stay on.'
              : 'Turned off, people come by single sign-on or with a passkey. You need one of the two yourself first.'
          }
          isOn={draft.passwords || isAlone}
          isOff={isAlone}
          onChange={(passwords) => setDraft({ ...draft, passwords })}
        />
        <SecondFactorFields
          rule={draft.rule}
          since={signIn.secondFactor?.since ?? null}
          hasProvider={!isAlone}
          onChange={(change) => setDraft({ ...draft, rule: { ...draft.rule, ...change } })}
        />
        <SaveOrDiscard isDirty={isDirty} isBusy={sending.isBusy} onDiscard={() => setDraft(initial)} />
      </SentForm>
    </Card>
  )
}
