import { theme, type ThemeConfig } from 'antd';

const SHARED_TOKENS = {
  fontFamily: 'inherit',
  // Follows the system setting: motion can cause nausea.
  motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
};

/** The colours of base.css, and antd's own except for those whose contrast is below WCAG's 4.5 : 1. */
export const panelTheme = (isDark: boolean): ThemeConfig => ({
  algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
  token: isDark
    ? {
        ...SHARED_TOKENS,
        colorPrimary: '#7aa2ff',
        colorPrimaryHover: '#a9c2ff',
        colorErrorHover: '#ffb4ad',
        colorLinkHover: '#b5caff',
        colorText: '#eef1f8',
        colorTextSecondary: '#b5bccb',
        colorTextTertiary: '#aab4cb',
        colorTextDescription: '#b5bccb',
        colorTextPlaceholder: '#9aa3b5',
        colorTextLightSolid: '#101a33',
        colorError: '#ff8a80',
        colorSuccess: '#5fd08a',
        colorWarning: '#f0b860',
        colorLink: '#8fb0ff',
        colorBgBase: '#11151f',
        colorBgLayout: '#11151f',
        colorBgContainer: '#1b2130',
        colorBgElevated: '#242b3d',
        colorBorder: '#5a6580',
        colorBorderSecondary: '#38415a',
      }
    : {
        ...SHARED_TOKENS,
        colorPrimary: '#2f5bd3',
        colorPrimaryHover: '#2448ab',
        colorErrorHover: '#8c1d17',
        colorLinkHover: '#2448ab',
        colorText: '#1a2233',
        colorTextSecondary: '#4c566b',
        colorTextTertiary: '#56607a',
        colorTextDescription: '#4c566b',
        colorTextPlaceholder: '#667085',
        colorError: '#b3261e',
        colorSuccess: '#1d7f45',
        colorWarning: '#a85f00',
        colorSuccessBg: '#e7f5ed',
        colorSuccessBorder: '#a9d6bb',
        colorWarningBg: '#fdf2df',
        colorWarningBorder: '#e9c68c',
        colorErrorBg: '#fdeceb',
        colorErrorBorder: '#eeb4b0',
        colorLink: '#2f5bd3',
        colorBgLayout: '#f4f6fb',
        colorBorder: '#b4bdd0',
        colorBorderSecondary: '#e2e7f1',
      },
  components: {
    Layout: { headerBg: 'transparent', siderBg: 'transparent' },
    Segmented: {
      trackBg: isDark ? '#2a3349' : '#dfe5f2',
      itemColor: isDark ? '#d5dbe8' : '#3d465a',
      itemSelectedBg: isDark ? '#46527a' : '#ffffff',
    },
    ...(isDark && {
      Tabs: { itemSelectedColor: '#8fb0ff' },
      Table: { rowSelectedBg: '#24325a', rowSelectedHoverBg: '#293966' },
    }),
  },
  cssVar: { key: 'panel' },
  hashed: false,
});
