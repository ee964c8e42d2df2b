"""Rows in other scripts: no spaces between words, and no English stems."""

from tests.search.rows import Row, Theme

SCRIPTS = Theme(
    "Chinese, Japanese, Korean, Thai, Cyrillic, Arabic, German",
    {
        "zh/动态规划.md": "# 动态规划\n\n把问题分成相互重叠的子问题。\n",
        "zh/图论.md": "# 图论\n\n## 最短路\n\n有时也用动态的方法规划路线。\n",
        "zh/港口.md": "# 港口\n\n船在海上停了三天。\n",
        "zh/城市.md": "# 城市\n\n我们在上海住了一年。\n",
        "ja/旅行.md": "# 旅行\n\n## 京都\n\n朝ごはんは駅の近くで食べた。\n\n"
        "## 大阪\n\nたこ焼き。\n",
        "ja/お茶.md": "# お茶\n\n抹茶は苦い。\n",
        "ko/김치.md": "# 김치\n\n배추를 소금에 절인다.\n",
        "th/อาหาร.md": "# อาหาร\n\nต้มยำกุ้งเผ็ดมาก\n",
        "ru/Дача.md": "# Дача\n\nКрыша течёт, нужно починить до зимы.\n",
        "ar/الحديقة.md": "# الحديقة\n\nنزرع النعناع في الربيع.\n",
        "de/Straße.md": "# Straße\n\nDie Größe der Fenster ist falsch.\n",
    },
    (
        Row("动态规划", ("zh/动态规划.md", "zh/图论.md#最短路")),
        Row("最短路", ("zh/图论.md#最短路",)),
        Row("重叠的子问题", ("zh/动态规划.md",)),
        Row("上海", ("zh/城市.md",), absent=("zh/港口.md",), modes=("words",)),
        Row("京都", ("ja/旅行.md#京都",)),
        Row("京都 朝ごはん", ("ja/旅行.md#京都",)),
        Row("抹茶", ("ja/お茶.md",)),
        Row("茶", ("ja/お茶.md",)),
        Row("김치", ("ko/김치.md",)),
        Row("배추", ("ko/김치.md",)),
        Row("ต้มยำกุ้ง", ("th/อาหาร.md",)),
        Row("крыша", ("ru/Дача.md",)),
        Row("КРЫША ТЕЧЕТ", ("ru/Дача.md",)),
        Row("النعناع", ("ar/الحديقة.md",)),
        Row("strasse", ("de/Straße.md",)),
        Row("größe der fenster", ("de/Straße.md",)),
        Row("grosse fenster", ("de/Straße.md",)),
    ),
)

THEMES = (SCRIPTS,)
