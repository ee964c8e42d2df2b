; The installer for Windows, by Inno Setup 6.3 or newer. Not tested: written without a Windows at hand.
;   python packaging\build_wheel.py
;   python packaging\freeze.py
;   iscc /DVersion=0.1.0 packaging\windows\notesearch.iss
; It installs for one user and asks for no administrator.

#ifndef Version
  #error Name the version: iscc /DVersion=...
#endif

[Setup]
AppId={{8C0B6E8B-5E0F-4A54-9B51-0F4C7C9A3D52}
AppName=notesearch
AppVersion={#Version}
AppPublisher=The notesearch authors
DefaultDirName={autopf}\notesearch
DefaultGroupName=notesearch
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=notesearch-{#Version}-windows-x64
SetupIconFile=..\..\build\release\icons\notesearch.ico
UninstallDisplayIcon={app}\notesearchw.exe
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
ChangesEnvironment=yes
UsedUserAreasWarning=no
CloseApplications=yes
RestartApplications=no

[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked
; The path of the one user for whom it is installed; an administrator sets that of all users.
Name: path; Description: "Use ""notesearch"" in the command prompt"; Flags: unchecked; Check: not IsAdminInstallMode

[Files]
Source: "..\..\build\release\frozen\notesearch\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\notesearch"; Filename: "{app}\notesearchw.exe"; AppUserModelID: "notesearch"
Name: "{group}\Licences"; Filename: "{app}\LICENCES.txt"
Name: "{autodesktop}\notesearch"; Filename: "{app}\notesearchw.exe"; AppUserModelID: "notesearch"; Tasks: desktopicon

[Registry]
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotInPath
; The value of the program's start at login, which it writes itself, is removed in [Code].

[Run]
Filename: "{app}\notesearchw.exe"; Description: "{cm:LaunchProgram,notesearch}"; Flags: nowait postinstall skipifsilent

[InstallDelete]
; Libraries of the version before must not stay beside the new ones.
Type: filesandordirs; Name: "{app}\_internal"

[Code]
function IsNotInPath: Boolean;
var
  Path: String;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Path) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path, Folder: String;
  At: Integer;
begin
  if Step <> usPostUninstall then
    Exit;
  RegDeleteValue(HKCU, 'Software\Microsoft\Windows\CurrentVersion\Run', 'notesearch');
  Folder := ';' + ExpandConstant('{app}');
  if RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
  begin
    At := Pos(Uppercase(Folder) + ';', Uppercase(Path) + ';');
    if At > 0 then
    begin
      Delete(Path, At, Length(Folder));
      RegWriteExpandStringValue(HKCU, 'Environment', 'Path', Path);
    end;
  end;
end;
