import { useState } from 'preact/hooks'
import type {
  InstanceSignIn,
  ProviderConnectionTest,
} from '../../../../../src/features/accounts/operations/sign-in-settings.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { SaveOrDiscard, SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { Switch } from '../../ui/switch.tsx'
import { t } from '../../words/words.ts'
import { SecondFactorFields, toRuleBody, toRuleDraft } from '../organization/second-factor-fields.tsx'
import { EnvironmentSettings, LastChange, UnusableSecret } from './environment-settings.tsx'
import { OrganizationProviders } from './organization-providers.tsx'
import { type ProviderDraft, toProviderBody, toProviderDraft } from './provider-draft.ts'
import { ProviderFields, TrialFindings } from './provider-fields.tsx'
import { FailedTrial, PassedTrial, TrialForm, useTrialForm } from './trial-form.tsx'

const FIELDS = ['issuer', 'clientId', 'secret', 'name', 'domains', 'organizationId', 'role'] as const

export function SignInSection({ signIn }: { signIn: InstanceSignIn }) {
  return (
    <>
      {signIn.source === 'environment' ? (
        <EnvironmentProvider signIn={signIn} />
      ) : (
        <ProviderForm signIn={signIn} />
      )}
      <OrganizationProviders signIn={signIn} onSaved={updateSignInCache} />
      <RulesForm key={String(signIn.passwords)} signIn={signIn} />
      <LastChange of={signIn} />
    </>
  )
}

async function updateSignInCache(saved: InstanceSignIn): Promise<void> {
  queryClient.setQueryData(internalKey('getInstanceSignIn'), saved)
  await reloadSession()
}

function EnvironmentProvider({ signIn }: { signIn: InstanceSignIn }) {
  const rows = [
    [t('Issuer'), signIn.issuer],
    [t('Client id'), signIn.clientId],
    [t('Button'), signIn.name],
    [
      t('Domains that join'),
      signIn.domains.length === 0 ? t('none', { context: 'domains' }) : signIn.domains.join(', '),
    ],
    [t('Redirect address'), signIn.redirectUrl],
  ] as const
  const advice = t(
    'To set single sign-on here, remove {variables} from the environment of the server and restart it.',
    { variables: signIn.variables.join(', ') },
  )
  return <EnvironmentSettings advice={advice} rows={rows} />
}

function ProviderForm({ signIn }: { signIn: InstanceSignIn }) {
  const form = useTrialForm({
    fields: FIELDS,
    stored: toProviderDraft(signIn),
    isOn: ({ isOn }) => isOn,
    test: (draft: ProviderDraft) => internal('testInstanceProvider', { body: toProviderBody(draft) }),
    hasPassed: ({ faults }) => faults.length === 0,
    save: async (draft) => {
      const saved = await internal('updateInstanceProvider', { body: toProviderBody(draft) })
      await updateSignInCache(saved)
      toast({ kind: 'done', title: t('Single sign-on is saved') })
      return toProviderDraft(saved)
    },
  })
  const { draft, isOn, set } = form
  return (
    <>
      {signIn.secret?.isUsable === false && (
        <UnusableSecret
          title={t('The stored client secret cannot be used')}
          about={t(
            'It was given for another issuer, or the secret of the server has changed. Enter it again.',
          )}
        />
      )}
      <TrialForm
        form={form}
        warning={t('Your changes to single sign-on will be lost.')}
        notice={providerNotice}
      >
        <div class="mb-4">
          <Switch
            label={t('Single sign-on')}
            about={t('By an OpenID Connect provider: Keycloak, Entra ID, Google, Okta and others.')}
            isOn={isOn}
            onChange={(to) => set({ isOn: to })}
          />
        </div>
        {isOn && <ProviderFields place={signIn} draft={draft} faults={form.sending.faults} onChange={set} />}
      </TrialForm>
    </>
  )
}

function providerNotice(trial: ProviderConnectionTest, onSaveAnyway: () => void) {
  const sentences = <TrialFindings trial={trial} />
  if (trial.faults.length > 0)
    return (
      <FailedTrial title={t('Nobody could sign in with this')} onSaveAnyway={onSaveAnyway}>
        {sentences}
      </FailedTrial>
    )
  return (
    <PassedTrial title={t('The provider answers, and knows this client')}>
      {sentences}
      <p>{t('Register the redirect address there, then sign in once to be sure.')}</p>
    </PassedTrial>
  )
}

/** Rules for all users of the server, regardless of their organizations. */
function RulesForm({ signIn }: { signIn: InstanceSignIn }) {
  const sending = useFormSubmission()
  const initial = { passwords: signIn.passwords, rule: toRuleDraft(signIn.secondFactor) }
  const [draft, setDraft] = useState(initial)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const isAlone = signIn.issuer === null
  const save = async () => {
    const { passwords, rule } = draft
    const saved = await internal('updateInstanceSignIn', {
      body: { ...(isAlone ? {} : { passwords }), secondFactor: toRuleBody(rule) },
    })
    setDraft({ passwords: saved.passwords, rule: toRuleDraft(saved.secondFactor) })
    await updateSignInCache(saved)
    toast({ kind: 'done', title: t('How people sign in is saved') })
  }
  return (
    <div class="mt-6 border-t border-line pt-6">
      <UnsavedGuard isDirty={isDirty} warning={t('Your changes to how people sign in will be lost.')} />
      <SubmissionForm sending={sending} onSubmit={save}>
        <Switch
          label={t('Sign in with a password')}
          about={
            isAlone
              ? t('Without single sign-on, passwords stay on.')
              : t(
                  'Turned off, people come by single sign-on or with a passkey. You need one of the two yourself first.',
                )
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
        <div class="h-4" />
        <SaveOrDiscard isDirty={isDirty} isBusy={sending.isBusy} onDiscard={() => setDraft(initial)} />
      </SubmissionForm>
    </div>
  )
}
