import { callAuth } from '../../api/send.ts'
import { reloadSession, useUser } from '../../app/session.ts'
import { textOf } from '../../forms/draft.ts'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Section } from '../../ui/page.tsx'
import {
  chooseLanguage,
  languageOwnName,
  listLanguages,
  matchLanguage,
  readChosenLanguage,
} from '../../words/languages.ts'
import { t } from '../../words/words.ts'

const RELOAD_DELAY_MS = 100

export function ProfileSection() {
  const { name, email } = useUser()
  const preferred = languageOwnName(matchLanguage(navigator.languages))
  return (
    <Section title={t('Profile')}>
      <SettingsForm<{ name: string; email: string; language: string }>
        stored={{ name, email, language: readChosenLanguage() ?? '' }}
        canUndo={false}
        fields={() => [
          {
            name: 'name',
            label: t('Name'),
            help: t('Shown to others next to your changes.'),
            input: { maxLength: 100, autocomplete: 'name' },
          },
          {
            name: 'email',
            label: t('Email address'),
            help: t('Used to sign in. It cannot be changed here.'),
            input: { readOnly: true },
          },
          {
            name: 'language',
            kind: 'select',
            label: t('Language'),
            help: t('The dashboard’s language in this browser.'),
            choices: [
              { value: '', label: t('Browser language: {language}', { language: preferred }) },
              ...listLanguages().map((value) => ({ value, label: languageOwnName(value) })),
            ],
          },
        ]}
        save={async (changes, { draft, base }) => {
          const saved = { ...base, name: textOf(draft, 'name').trim(), language: textOf(draft, 'language') }
          if ('name' in changes) {
            await callAuth('update-user', { name: saved.name })
            await reloadSession()
          }
          // Changing the language reloads the page as soon as it has no unsaved changes.
          if ('language' in changes)
            setTimeout(() => chooseLanguage(saved.language === '' ? null : saved.language), RELOAD_DELAY_MS)
          return saved
        }}
      />
    </Section>
  )
}
