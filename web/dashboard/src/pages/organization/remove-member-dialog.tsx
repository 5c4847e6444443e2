import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { KEY_PREFIXES } from '../../../../../src/base/api/operation.ts'
import type { Member, MemberKeys } from '../../../../../src/features/accounts/operations/people.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { confirmFirst } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { RadioGroup } from '../../ui/choice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, t } from '../../words/words.ts'

/** Maximum keys that are listed individually; beyond that only their number is shown. */
const MAX_NAMED = 5

interface Leaving {
  isMe: boolean
  organization: string
}

/** Removes a member together with their keys, which are revoked or transferred to the current user. */
export function removeMember(member: Member, { isMe, organization }: Leaving): void {
  const { userId, name, email } = member
  let keys: MemberKeys = 'revoke'
  confirmFirst({
    title: isMe ? t('Leave {organization}?', { organization }) : t('Remove {name}?', { name }),
    name: isMe ? organization : email,
    action: isMe ? t('Leave') : t('Remove'),
    text: (
      <>
        <p>
          {isMe
            ? t(
                'You lose access immediately, in every open window. Your changes stay. To come back, you need an invitation.',
              )
            : t(
                '{name} loses access immediately, in every open window. Their changes stay. To come back, they need an invitation.',
                { name },
              )}
        </p>
        <MemberKeysChoice member={member} isMe={isMe} onChange={(choice) => (keys = choice)} />
      </>
    ),
    run: async () => {
      await internal('removeMember', { params: { userId }, query: { keys } })
      if (isMe) return location.assign('/')
      for (const queryKey of [internalKey('listMembers'), internalKey('listApiKeys')])
        await queryClient.invalidateQueries({ queryKey })
    },
  })
}

function MemberKeysChoice({
  member,
  isMe,
  onChange,
}: {
  member: Member
  isMe: boolean
  onChange: (keys: MemberKeys) => void
}) {
  const [chosen, setChosen] = useState<MemberKeys>('revoke')
  const maySee = useHasPermission('apiKeys')
  const { data } = useQuery({ ...internalQuery('listApiKeys'), enabled: maySee })
  const own = data?.keys.filter(({ maker, state }) => maker?.id === member.userId && state === 'valid') ?? []
  if (own.length === 0) return null
  return (
    <>
      <p>
        {isMe
          ? plural(
              own.length,
              'You created {count} API key that programs may be using.',
              'You created {count} API keys that programs may be using.',
            )
          : plural(
              own.length,
              '{name} created {count} API key that programs may be using.',
              '{name} created {count} API keys that programs may be using.',
              { name: member.name },
            )}
      </p>
      {own.length <= MAX_NAMED && (
        <ul class="list-disc pl-5">
          {own.map(({ id, name, kind, lastFour }) => (
            <li key={id} class="break-words">
              <PlainText text={name} />{' '}
              <code class="font-mono text-12">
                {KEY_PREFIXES[kind]}…{lastFour}
              </code>
            </li>
          ))}
        </ul>
      )}
      {isMe ? (
        <p>
          {t(
            'These keys are revoked. If a program still needs one, ask an admin to remove you instead and take over the key.',
          )}
        </p>
      ) : (
        <RadioGroup
          label={t('What happens to these keys')}
          value={chosen}
          onChange={(next) => {
            setChosen(next)
            onChange(next)
          }}
          choices={[
            {
              value: 'revoke',
              label: t('Revoke them'),
              about: t('Programs that use them lose access immediately.'),
            },
            {
              value: 'hand_over',
              label: t('Take them over'),
              about: t(
                'They become yours, with the same permissions. Anyone who has them can still use them.',
              ),
            },
          ]}
        />
      )}
    </>
  )
}
