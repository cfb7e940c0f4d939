import { useTranslation } from 'react-i18next';

interface Props {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Pagination of a list, newest first. */
export function Pages({ page, pages, onPage }: Props) {
  const { t } = useTranslation('client');
  if (pages <= 1 && page <= 1) return null;
  return (
    <nav className="pages" aria-label={t('calls.history.pages')}>
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('calls.history.later')}
      </button>
      <output>{t('calls.history.page', { page, pages })}</output>
      <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('calls.history.earlier')}
      </button>
    </nav>
  );
}
