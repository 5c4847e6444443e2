import type { InstanceSignIn } from '../../../../../src/features/accounts/operations/sign-in-settings.ts'
import { internal } from '../../api/internal.ts'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { t } from '../../words/words.ts'
import { readRule, secondFactorFields, toRuleBody } from '../organization/second-factor-fields.tsx'
import { OrganizationProviders, ServerProvider, updateSignInCache } from './provider-settings.tsx'
import { LastChange } from './server-settings.tsx'

export function SignInSettings({ stored: signIn }: { stored: InstanceSignIn }) {
  return (
    <>
      <ServerProvider signIn={signIn} />
      <OrganizationProviders signIn={signIn} />
      <div class="mt-6 border-t border-line pt-6">
        <Rules signIn={signIn} />
      </div>
      <LastChange of={signIn} />
    </>
  )
}

/** Rules for all users of the server, regardless of their organizations. */
function Rules({ signIn }: { signIn: InstanceSignIn }) {
  const isAlone = signIn.issuer === null
  return (
    <SettingsForm<InstanceSignIn>
      operation="updateInstanceSignIn"
      stored={signIn}
      read={({ passwords, secondFactor }) => ({ passwords: passwords || isAlone, ...readRule(secondFactor) })}
      fields={(draft) => [
        {
          name: 'passwords',
          label: t('Sign in with a password'),
          isOff: isAlone,
          help: isAlone
            ? t('Passwords cannot be turned off without single sign-on.')
            : t(
                'When off, people sign in with single sign-on or a passkey. You must have one of them yourself first.',
              ),
        },
        ...secondFactorFields(draft, { since: signIn.secondFactor?.since ?? null, hasProvider: !isAlone }),
      ]}
      save={async (_, { draft }) => {
        const saved = await internal('updateInstanceSignIn', {
          body: {
            ...(!isAlone && { passwords: draft.passwords === true }),
            secondFactor: toRuleBody(draft),
          },
        })
        await updateSignInCache(saved)
        return saved
      }}
    />
  )
}
