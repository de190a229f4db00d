; ModuleID = '-'
source_filename = "-"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.anon = type { i32 }
%union.anon.0 = type { i32 }
%union.anon.1 = type { i32 }
%union.anon.2 = type { i32 }
%struct.div_t = type { i32, i32 }
%struct.ldiv_t = type { i64, i64 }
%struct._IO_FILE = type { i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, i32, i32, i64, i32, i32, i32, ptr, i64, ptr, ptr, ptr, i64, i64, ptr, ptr, ptr }

@table = internal constant [257 x i8] c"\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\00\01\02\03\04\05\06\07\08\09\FF\FF\FF\FF\FF\FF\FF\0A\0B\0C\0D\0E\0F\10\11\12\13\14\15\16\17\18\19\1A\1B\1C\1D\1E\1F !\22#\FF\FF\FF\FF\FF\FF\0A\0B\0C\0D\0E\0F\10\11\12\13\14\15\16\17\18\19\1A\1B\1C\1D\1E\1F !\22#\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF", align 16
@.str = private unnamed_addr constant [9 x i8] c"\00\01\02\04\07\03\06\05\00", align 1
@__const.htonl.u = private unnamed_addr constant %union.anon { i32 1 }, align 4
@__const.htons.u = private unnamed_addr constant %union.anon.0 { i32 1 }, align 4
@__const.ntohl.u = private unnamed_addr constant %union.anon.1 { i32 1 }, align 4
@__const.ntohs.u = private unnamed_addr constant %union.anon.2 { i32 1 }, align 4

@__strtol_internal = weak dso_local alias i64 (ptr, ptr, i32), ptr @strtol
@__strtoul_internal = weak dso_local alias i64 (ptr, ptr, i32), ptr @strtoul
@__strtoll_internal = weak dso_local alias i64 (ptr, ptr, i32), ptr @strtoll
@__strtoull_internal = weak dso_local alias i64 (ptr, ptr, i32), ptr @strtoull
@__strtoimax_internal = weak dso_local alias i64 (ptr, ptr, i32), ptr @strtoimax
@__strtoumax_internal = weak dso_local alias i64 (ptr, ptr, i32), ptr @strtoumax

; Function Attrs: noinline nounwind
define dso_local i32 @abs(i32 noundef %0) #0 !dbg !9 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !13
  %4 = icmp sgt i32 %3, 0, !dbg !13
  br i1 %4, label %5, label %7, !dbg !13

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !dbg !13
  br label %10, !dbg !13

7:                                                ; preds = %1
  %8 = load i32, ptr %2, align 4, !dbg !13
  %9 = sub nsw i32 0, %8, !dbg !13
  br label %10, !dbg !13

10:                                               ; preds = %7, %5
  %11 = phi i32 [ %6, %5 ], [ %9, %7 ], !dbg !13
  ret i32 %11, !dbg !13
}

; Function Attrs: noinline nounwind
define dso_local i64 @labs(i64 noundef %0) #0 !dbg !14 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  %3 = load i64, ptr %2, align 8, !dbg !16
  %4 = icmp sgt i64 %3, 0, !dbg !16
  br i1 %4, label %5, label %7, !dbg !16

5:                                                ; preds = %1
  %6 = load i64, ptr %2, align 8, !dbg !16
  br label %10, !dbg !16

7:                                                ; preds = %1
  %8 = load i64, ptr %2, align 8, !dbg !16
  %9 = sub nsw i64 0, %8, !dbg !16
  br label %10, !dbg !16

10:                                               ; preds = %7, %5
  %11 = phi i64 [ %6, %5 ], [ %9, %7 ], !dbg !16
  ret i64 %11, !dbg !16
}

; Function Attrs: noinline nounwind
define dso_local i64 @llabs(i64 noundef %0) #0 !dbg !17 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  %3 = load i64, ptr %2, align 8, !dbg !19
  %4 = icmp sgt i64 %3, 0, !dbg !19
  br i1 %4, label %5, label %7, !dbg !19

5:                                                ; preds = %1
  %6 = load i64, ptr %2, align 8, !dbg !19
  br label %10, !dbg !19

7:                                                ; preds = %1
  %8 = load i64, ptr %2, align 8, !dbg !19
  %9 = sub nsw i64 0, %8, !dbg !19
  br label %10, !dbg !19

10:                                               ; preds = %7, %5
  %11 = phi i64 [ %6, %5 ], [ %9, %7 ], !dbg !19
  ret i64 %11, !dbg !19
}

; Function Attrs: noinline nounwind
define dso_local i32 @atoi(ptr noundef %0) #0 !dbg !20 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4, !dbg !22
  store i32 0, ptr %4, align 4, !dbg !22
  br label %5, !dbg !23

5:                                                ; preds = %11, %1
  %6 = load ptr, ptr %2, align 8, !dbg !23
  %7 = load i8, ptr %6, align 1, !dbg !23
  %8 = sext i8 %7 to i32, !dbg !23
  %9 = call i32 @__isspace(i32 noundef %8) #3, !dbg !23
  %10 = icmp ne i32 %9, 0, !dbg !23
  br i1 %10, label %11, label %14, !dbg !23

11:                                               ; preds = %5
  %12 = load ptr, ptr %2, align 8, !dbg !23
  %13 = getelementptr inbounds i8, ptr %12, i32 1, !dbg !23
  store ptr %13, ptr %2, align 8, !dbg !23
  br label %5, !dbg !23, !llvm.loop !24

14:                                               ; preds = %5
  %15 = load ptr, ptr %2, align 8, !dbg !25
  %16 = load i8, ptr %15, align 1, !dbg !25
  %17 = sext i8 %16 to i32, !dbg !25
  switch i32 %17, label %22 [
    i32 45, label %18
    i32 43, label %19
  ], !dbg !25

18:                                               ; preds = %14
  store i32 1, ptr %4, align 4, !dbg !26
  br label %19, !dbg !26

19:                                               ; preds = %14, %18
  %20 = load ptr, ptr %2, align 8, !dbg !27
  %21 = getelementptr inbounds i8, ptr %20, i32 1, !dbg !27
  store ptr %21, ptr %2, align 8, !dbg !27
  br label %22, !dbg !28

22:                                               ; preds = %19, %14
  br label %23, !dbg !29

23:                                               ; preds = %29, %22
  %24 = load ptr, ptr %2, align 8, !dbg !29
  %25 = load i8, ptr %24, align 1, !dbg !29
  %26 = sext i8 %25 to i32, !dbg !29
  %27 = sub i32 %26, 48, !dbg !29
  %28 = icmp ult i32 %27, 10, !dbg !29
  br i1 %28, label %29, label %38, !dbg !29

29:                                               ; preds = %23
  %30 = load i32, ptr %3, align 4, !dbg !30
  %31 = mul nsw i32 10, %30, !dbg !30
  %32 = load ptr, ptr %2, align 8, !dbg !30
  %33 = getelementptr inbounds i8, ptr %32, i32 1, !dbg !30
  store ptr %33, ptr %2, align 8, !dbg !30
  %34 = load i8, ptr %32, align 1, !dbg !30
  %35 = sext i8 %34 to i32, !dbg !30
  %36 = sub nsw i32 %35, 48, !dbg !30
  %37 = sub nsw i32 %31, %36, !dbg !30
  store i32 %37, ptr %3, align 4, !dbg !30
  br label %23, !dbg !29, !llvm.loop !31

38:                                               ; preds = %23
  %39 = load i32, ptr %4, align 4, !dbg !32
  %40 = icmp ne i32 %39, 0, !dbg !32
  br i1 %40, label %41, label %43, !dbg !32

41:                                               ; preds = %38
  %42 = load i32, ptr %3, align 4, !dbg !32
  br label %46, !dbg !32

43:                                               ; preds = %38
  %44 = load i32, ptr %3, align 4, !dbg !32
  %45 = sub nsw i32 0, %44, !dbg !32
  br label %46, !dbg !32

46:                                               ; preds = %43, %41
  %47 = phi i32 [ %42, %41 ], [ %45, %43 ], !dbg !32
  ret i32 %47, !dbg !32
}

; Function Attrs: noinline nounwind
define internal i32 @__isspace(i32 noundef %0) #0 !dbg !33 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !35
  %4 = icmp eq i32 %3, 32, !dbg !35
  br i1 %4, label %9, label %5, !dbg !35

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !dbg !35
  %7 = sub i32 %6, 9, !dbg !35
  %8 = icmp ult i32 %7, 5, !dbg !35
  br label %9, !dbg !35

9:                                                ; preds = %5, %1
  %10 = phi i1 [ true, %1 ], [ %8, %5 ]
  %11 = zext i1 %10 to i32, !dbg !35
  ret i32 %11, !dbg !35
}

; Function Attrs: noinline nounwind
define dso_local i64 @atol(ptr noundef %0) #0 !dbg !36 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i64 0, ptr %3, align 8, !dbg !38
  store i32 0, ptr %4, align 4, !dbg !39
  br label %5, !dbg !40

5:                                                ; preds = %11, %1
  %6 = load ptr, ptr %2, align 8, !dbg !40
  %7 = load i8, ptr %6, align 1, !dbg !40
  %8 = sext i8 %7 to i32, !dbg !40
  %9 = call i32 @__isspace(i32 noundef %8) #3, !dbg !40
  %10 = icmp ne i32 %9, 0, !dbg !40
  br i1 %10, label %11, label %14, !dbg !40

11:                                               ; preds = %5
  %12 = load ptr, ptr %2, align 8, !dbg !40
  %13 = getelementptr inbounds i8, ptr %12, i32 1, !dbg !40
  store ptr %13, ptr %2, align 8, !dbg !40
  br label %5, !dbg !40, !llvm.loop !41

14:                                               ; preds = %5
  %15 = load ptr, ptr %2, align 8, !dbg !42
  %16 = load i8, ptr %15, align 1, !dbg !42
  %17 = sext i8 %16 to i32, !dbg !42
  switch i32 %17, label %22 [
    i32 45, label %18
    i32 43, label %19
  ], !dbg !42

18:                                               ; preds = %14
  store i32 1, ptr %4, align 4, !dbg !43
  br label %19, !dbg !43

19:                                               ; preds = %14, %18
  %20 = load ptr, ptr %2, align 8, !dbg !44
  %21 = getelementptr inbounds i8, ptr %20, i32 1, !dbg !44
  store ptr %21, ptr %2, align 8, !dbg !44
  br label %22, !dbg !45

22:                                               ; preds = %19, %14
  br label %23, !dbg !46

23:                                               ; preds = %29, %22
  %24 = load ptr, ptr %2, align 8, !dbg !46
  %25 = load i8, ptr %24, align 1, !dbg !46
  %26 = sext i8 %25 to i32, !dbg !46
  %27 = sub i32 %26, 48, !dbg !46
  %28 = icmp ult i32 %27, 10, !dbg !46
  br i1 %28, label %29, label %39, !dbg !46

29:                                               ; preds = %23
  %30 = load i64, ptr %3, align 8, !dbg !47
  %31 = mul nsw i64 10, %30, !dbg !47
  %32 = load ptr, ptr %2, align 8, !dbg !47
  %33 = getelementptr inbounds i8, ptr %32, i32 1, !dbg !47
  store ptr %33, ptr %2, align 8, !dbg !47
  %34 = load i8, ptr %32, align 1, !dbg !47
  %35 = sext i8 %34 to i32, !dbg !47
  %36 = sub nsw i32 %35, 48, !dbg !47
  %37 = sext i32 %36 to i64, !dbg !47
  %38 = sub nsw i64 %31, %37, !dbg !47
  store i64 %38, ptr %3, align 8, !dbg !47
  br label %23, !dbg !46, !llvm.loop !48

39:                                               ; preds = %23
  %40 = load i32, ptr %4, align 4, !dbg !49
  %41 = icmp ne i32 %40, 0, !dbg !49
  br i1 %41, label %42, label %44, !dbg !49

42:                                               ; preds = %39
  %43 = load i64, ptr %3, align 8, !dbg !49
  br label %47, !dbg !49

44:                                               ; preds = %39
  %45 = load i64, ptr %3, align 8, !dbg !49
  %46 = sub nsw i64 0, %45, !dbg !49
  br label %47, !dbg !49

47:                                               ; preds = %44, %42
  %48 = phi i64 [ %43, %42 ], [ %46, %44 ], !dbg !49
  ret i64 %48, !dbg !49
}

; Function Attrs: noinline nounwind
define dso_local i64 @atoll(ptr noundef %0) #0 !dbg !50 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i64 0, ptr %3, align 8, !dbg !52
  store i32 0, ptr %4, align 4, !dbg !53
  br label %5, !dbg !54

5:                                                ; preds = %11, %1
  %6 = load ptr, ptr %2, align 8, !dbg !54
  %7 = load i8, ptr %6, align 1, !dbg !54
  %8 = sext i8 %7 to i32, !dbg !54
  %9 = call i32 @__isspace(i32 noundef %8) #3, !dbg !54
  %10 = icmp ne i32 %9, 0, !dbg !54
  br i1 %10, label %11, label %14, !dbg !54

11:                                               ; preds = %5
  %12 = load ptr, ptr %2, align 8, !dbg !54
  %13 = getelementptr inbounds i8, ptr %12, i32 1, !dbg !54
  store ptr %13, ptr %2, align 8, !dbg !54
  br label %5, !dbg !54, !llvm.loop !55

14:                                               ; preds = %5
  %15 = load ptr, ptr %2, align 8, !dbg !56
  %16 = load i8, ptr %15, align 1, !dbg !56
  %17 = sext i8 %16 to i32, !dbg !56
  switch i32 %17, label %22 [
    i32 45, label %18
    i32 43, label %19
  ], !dbg !56

18:                                               ; preds = %14
  store i32 1, ptr %4, align 4, !dbg !57
  br label %19, !dbg !57

19:                                               ; preds = %14, %18
  %20 = load ptr, ptr %2, align 8, !dbg !58
  %21 = getelementptr inbounds i8, ptr %20, i32 1, !dbg !58
  store ptr %21, ptr %2, align 8, !dbg !58
  br label %22, !dbg !59

22:                                               ; preds = %19, %14
  br label %23, !dbg !60

23:                                               ; preds = %29, %22
  %24 = load ptr, ptr %2, align 8, !dbg !60
  %25 = load i8, ptr %24, align 1, !dbg !60
  %26 = sext i8 %25 to i32, !dbg !60
  %27 = sub i32 %26, 48, !dbg !60
  %28 = icmp ult i32 %27, 10, !dbg !60
  br i1 %28, label %29, label %39, !dbg !60

29:                                               ; preds = %23
  %30 = load i64, ptr %3, align 8, !dbg !61
  %31 = mul nsw i64 10, %30, !dbg !61
  %32 = load ptr, ptr %2, align 8, !dbg !61
  %33 = getelementptr inbounds i8, ptr %32, i32 1, !dbg !61
  store ptr %33, ptr %2, align 8, !dbg !61
  %34 = load i8, ptr %32, align 1, !dbg !61
  %35 = sext i8 %34 to i32, !dbg !61
  %36 = sub nsw i32 %35, 48, !dbg !61
  %37 = sext i32 %36 to i64, !dbg !61
  %38 = sub nsw i64 %31, %37, !dbg !61
  store i64 %38, ptr %3, align 8, !dbg !61
  br label %23, !dbg !60, !llvm.loop !62

39:                                               ; preds = %23
  %40 = load i32, ptr %4, align 4, !dbg !63
  %41 = icmp ne i32 %40, 0, !dbg !63
  br i1 %41, label %42, label %44, !dbg !63

42:                                               ; preds = %39
  %43 = load i64, ptr %3, align 8, !dbg !63
  br label %47, !dbg !63

44:                                               ; preds = %39
  %45 = load i64, ptr %3, align 8, !dbg !63
  %46 = sub nsw i64 0, %45, !dbg !63
  br label %47, !dbg !63

47:                                               ; preds = %44, %42
  %48 = phi i64 [ %43, %42 ], [ %46, %44 ], !dbg !63
  ret i64 %48, !dbg !63
}

; Function Attrs: noinline nounwind
define dso_local i64 @div(i32 noundef %0, i32 noundef %1) #0 !dbg !64 {
  %3 = alloca %struct.div_t, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  %6 = getelementptr inbounds %struct.div_t, ptr %3, i32 0, i32 0, !dbg !66
  %7 = load i32, ptr %4, align 4, !dbg !66
  %8 = load i32, ptr %5, align 4, !dbg !66
  %9 = sdiv i32 %7, %8, !dbg !66
  store i32 %9, ptr %6, align 4, !dbg !66
  %10 = getelementptr inbounds %struct.div_t, ptr %3, i32 0, i32 1, !dbg !66
  %11 = load i32, ptr %4, align 4, !dbg !66
  %12 = load i32, ptr %5, align 4, !dbg !66
  %13 = srem i32 %11, %12, !dbg !66
  store i32 %13, ptr %10, align 4, !dbg !66
  %14 = load i64, ptr %3, align 4, !dbg !66
  ret i64 %14, !dbg !66
}

; Function Attrs: noinline nounwind
define dso_local { i64, i64 } @ldiv(i64 noundef %0, i64 noundef %1) #0 !dbg !67 {
  %3 = alloca %struct.ldiv_t, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store i64 %0, ptr %4, align 8
  store i64 %1, ptr %5, align 8
  %6 = getelementptr inbounds %struct.ldiv_t, ptr %3, i32 0, i32 0, !dbg !69
  %7 = load i64, ptr %4, align 8, !dbg !69
  %8 = load i64, ptr %5, align 8, !dbg !69
  %9 = sdiv i64 %7, %8, !dbg !69
  store i64 %9, ptr %6, align 8, !dbg !69
  %10 = getelementptr inbounds %struct.ldiv_t, ptr %3, i32 0, i32 1, !dbg !69
  %11 = load i64, ptr %4, align 8, !dbg !69
  %12 = load i64, ptr %5, align 8, !dbg !69
  %13 = srem i64 %11, %12, !dbg !69
  store i64 %13, ptr %10, align 8, !dbg !69
  %14 = load { i64, i64 }, ptr %3, align 8, !dbg !69
  ret { i64, i64 } %14, !dbg !69
}

; Function Attrs: noinline nounwind
define dso_local i64 @strtoull(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 !dbg !70 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8, !dbg !72
  %8 = load ptr, ptr %5, align 8, !dbg !72
  %9 = load i32, ptr %6, align 4, !dbg !72
  %10 = call i64 @strtox(ptr noundef %7, ptr noundef %8, i32 noundef %9, i64 noundef -1) #3, !dbg !72
  ret i64 %10, !dbg !72
}

; Function Attrs: noinline nounwind
define internal i64 @strtox(ptr noundef %0, ptr noundef %1, i32 noundef %2, i64 noundef %3) #0 !dbg !73 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i64, align 8
  %9 = alloca %struct._IO_FILE, align 8
  %10 = alloca i64, align 8
  %11 = alloca i64, align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i32 %2, ptr %7, align 4
  store i64 %3, ptr %8, align 8
  %12 = load ptr, ptr %5, align 8, !dbg !74
  %13 = getelementptr inbounds %struct._IO_FILE, ptr %9, i32 0, i32 1, !dbg !74
  store ptr %12, ptr %13, align 8, !dbg !74
  %14 = getelementptr inbounds %struct._IO_FILE, ptr %9, i32 0, i32 11, !dbg !74
  store ptr %12, ptr %14, align 8, !dbg !74
  %15 = getelementptr inbounds %struct._IO_FILE, ptr %9, i32 0, i32 2, !dbg !74
  store ptr inttoptr (i64 -1 to ptr), ptr %15, align 8, !dbg !74
  call void @__shlim(ptr noundef %9, i64 noundef 0) #3, !dbg !75
  %16 = load i32, ptr %7, align 4, !dbg !76
  %17 = load i64, ptr %8, align 8, !dbg !76
  %18 = call i64 @__intscan(ptr noundef %9, i32 noundef %16, i32 noundef 1, i64 noundef %17) #3, !dbg !76
  store i64 %18, ptr %10, align 8, !dbg !76
  %19 = load ptr, ptr %6, align 8, !dbg !77
  %20 = icmp ne ptr %19, null, !dbg !77
  br i1 %20, label %21, label %36, !dbg !77

21:                                               ; preds = %4
  %22 = getelementptr inbounds %struct._IO_FILE, ptr %9, i32 0, i32 27, !dbg !78
  %23 = load i64, ptr %22, align 8, !dbg !78
  %24 = getelementptr inbounds %struct._IO_FILE, ptr %9, i32 0, i32 1, !dbg !78
  %25 = load ptr, ptr %24, align 8, !dbg !78
  %26 = getelementptr inbounds %struct._IO_FILE, ptr %9, i32 0, i32 11, !dbg !78
  %27 = load ptr, ptr %26, align 8, !dbg !78
  %28 = ptrtoint ptr %25 to i64, !dbg !78
  %29 = ptrtoint ptr %27 to i64, !dbg !78
  %30 = sub i64 %28, %29, !dbg !78
  %31 = add nsw i64 %23, %30, !dbg !78
  store i64 %31, ptr %11, align 8, !dbg !78
  %32 = load ptr, ptr %5, align 8, !dbg !79
  %33 = load i64, ptr %11, align 8, !dbg !79
  %34 = getelementptr inbounds i8, ptr %32, i64 %33, !dbg !79
  %35 = load ptr, ptr %6, align 8, !dbg !79
  store ptr %34, ptr %35, align 8, !dbg !79
  br label %36, !dbg !80

36:                                               ; preds = %21, %4
  %37 = load i64, ptr %10, align 8, !dbg !81
  ret i64 %37, !dbg !81
}

; Function Attrs: noinline nounwind
define dso_local i64 @strtoll(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 !dbg !82 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8, !dbg !83
  %8 = load ptr, ptr %5, align 8, !dbg !83
  %9 = load i32, ptr %6, align 4, !dbg !83
  %10 = call i64 @strtox(ptr noundef %7, ptr noundef %8, i32 noundef %9, i64 noundef -9223372036854775808) #3, !dbg !83
  ret i64 %10, !dbg !83
}

; Function Attrs: noinline nounwind
define dso_local i64 @strtoul(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 !dbg !84 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8, !dbg !85
  %8 = load ptr, ptr %5, align 8, !dbg !85
  %9 = load i32, ptr %6, align 4, !dbg !85
  %10 = call i64 @strtox(ptr noundef %7, ptr noundef %8, i32 noundef %9, i64 noundef -1) #3, !dbg !85
  ret i64 %10, !dbg !85
}

; Function Attrs: noinline nounwind
define dso_local i64 @strtol(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 !dbg !86 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8, !dbg !87
  %8 = load ptr, ptr %5, align 8, !dbg !87
  %9 = load i32, ptr %6, align 4, !dbg !87
  %10 = call i64 @strtox(ptr noundef %7, ptr noundef %8, i32 noundef %9, i64 noundef -9223372036854775808) #3, !dbg !87
  ret i64 %10, !dbg !87
}

; Function Attrs: noinline nounwind
define dso_local i64 @strtoimax(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 !dbg !88 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8, !dbg !89
  %8 = load ptr, ptr %5, align 8, !dbg !89
  %9 = load i32, ptr %6, align 4, !dbg !89
  %10 = call i64 @strtoll(ptr noundef %7, ptr noundef %8, i32 noundef %9) #3, !dbg !89
  ret i64 %10, !dbg !89
}

; Function Attrs: noinline nounwind
define dso_local i64 @strtoumax(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 !dbg !90 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8, !dbg !91
  %8 = load ptr, ptr %5, align 8, !dbg !91
  %9 = load i32, ptr %6, align 4, !dbg !91
  %10 = call i64 @strtoull(ptr noundef %7, ptr noundef %8, i32 noundef %9) #3, !dbg !91
  ret i64 %10, !dbg !91
}

; Function Attrs: noinline nounwind
define hidden i64 @__intscan(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3) #0 !dbg !92 {
  %5 = alloca i64, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i64, align 8
  %10 = alloca ptr, align 8
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store i32 %1, ptr %7, align 4
  store i32 %2, ptr %8, align 4
  store i64 %3, ptr %9, align 8
  store ptr getelementptr inbounds (i8, ptr @table, i64 1), ptr %10, align 8, !dbg !94
  store i32 0, ptr %12, align 4, !dbg !95
  %16 = load i32, ptr %7, align 4, !dbg !96
  %17 = icmp ugt i32 %16, 36, !dbg !96
  br i1 %17, label %21, label %18, !dbg !96

18:                                               ; preds = %4
  %19 = load i32, ptr %7, align 4, !dbg !96
  %20 = icmp eq i32 %19, 1, !dbg !96
  br i1 %20, label %21, label %23, !dbg !96

21:                                               ; preds = %18, %4
  %22 = call ptr @___errno_location() #3, !dbg !97
  store i32 22, ptr %22, align 4, !dbg !97
  store i64 0, ptr %5, align 8, !dbg !98
  br label %610, !dbg !98

23:                                               ; preds = %18
  br label %24, !dbg !99

24:                                               ; preds = %46, %23
  %25 = load ptr, ptr %6, align 8, !dbg !99
  %26 = getelementptr inbounds %struct._IO_FILE, ptr %25, i32 0, i32 1, !dbg !99
  %27 = load ptr, ptr %26, align 8, !dbg !99
  %28 = load ptr, ptr %6, align 8, !dbg !99
  %29 = getelementptr inbounds %struct._IO_FILE, ptr %28, i32 0, i32 25, !dbg !99
  %30 = load ptr, ptr %29, align 8, !dbg !99
  %31 = icmp ne ptr %27, %30, !dbg !99
  br i1 %31, label %32, label %39, !dbg !99

32:                                               ; preds = %24
  %33 = load ptr, ptr %6, align 8, !dbg !99
  %34 = getelementptr inbounds %struct._IO_FILE, ptr %33, i32 0, i32 1, !dbg !99
  %35 = load ptr, ptr %34, align 8, !dbg !99
  %36 = getelementptr inbounds i8, ptr %35, i32 1, !dbg !99
  store ptr %36, ptr %34, align 8, !dbg !99
  %37 = load i8, ptr %35, align 1, !dbg !99
  %38 = zext i8 %37 to i32, !dbg !99
  br label %42, !dbg !99

39:                                               ; preds = %24
  %40 = load ptr, ptr %6, align 8, !dbg !99
  %41 = call i32 @__shgetc(ptr noundef %40) #3, !dbg !99
  br label %42, !dbg !99

42:                                               ; preds = %39, %32
  %43 = phi i32 [ %38, %32 ], [ %41, %39 ], !dbg !99
  store i32 %43, ptr %11, align 4, !dbg !99
  %44 = call i32 @__isspace(i32 noundef %43) #3, !dbg !99
  %45 = icmp ne i32 %44, 0, !dbg !99
  br i1 %45, label %46, label %47, !dbg !99

46:                                               ; preds = %42
  br label %24, !dbg !99, !llvm.loop !100

47:                                               ; preds = %42
  %48 = load i32, ptr %11, align 4, !dbg !101
  %49 = icmp eq i32 %48, 43, !dbg !101
  br i1 %49, label %53, label %50, !dbg !101

50:                                               ; preds = %47
  %51 = load i32, ptr %11, align 4, !dbg !101
  %52 = icmp eq i32 %51, 45, !dbg !101
  br i1 %52, label %53, label %77, !dbg !101

53:                                               ; preds = %50, %47
  %54 = load i32, ptr %11, align 4, !dbg !102
  %55 = icmp eq i32 %54, 45, !dbg !102
  %56 = zext i1 %55 to i32, !dbg !102
  %57 = sub nsw i32 0, %56, !dbg !102
  store i32 %57, ptr %12, align 4, !dbg !102
  %58 = load ptr, ptr %6, align 8, !dbg !103
  %59 = getelementptr inbounds %struct._IO_FILE, ptr %58, i32 0, i32 1, !dbg !103
  %60 = load ptr, ptr %59, align 8, !dbg !103
  %61 = load ptr, ptr %6, align 8, !dbg !103
  %62 = getelementptr inbounds %struct._IO_FILE, ptr %61, i32 0, i32 25, !dbg !103
  %63 = load ptr, ptr %62, align 8, !dbg !103
  %64 = icmp ne ptr %60, %63, !dbg !103
  br i1 %64, label %65, label %72, !dbg !103

65:                                               ; preds = %53
  %66 = load ptr, ptr %6, align 8, !dbg !103
  %67 = getelementptr inbounds %struct._IO_FILE, ptr %66, i32 0, i32 1, !dbg !103
  %68 = load ptr, ptr %67, align 8, !dbg !103
  %69 = getelementptr inbounds i8, ptr %68, i32 1, !dbg !103
  store ptr %69, ptr %67, align 8, !dbg !103
  %70 = load i8, ptr %68, align 1, !dbg !103
  %71 = zext i8 %70 to i32, !dbg !103
  br label %75, !dbg !103

72:                                               ; preds = %53
  %73 = load ptr, ptr %6, align 8, !dbg !103
  %74 = call i32 @__shgetc(ptr noundef %73) #3, !dbg !103
  br label %75, !dbg !103

75:                                               ; preds = %72, %65
  %76 = phi i32 [ %71, %65 ], [ %74, %72 ], !dbg !103
  store i32 %76, ptr %11, align 4, !dbg !103
  br label %77, !dbg !104

77:                                               ; preds = %75, %50
  %78 = load i32, ptr %7, align 4, !dbg !105
  %79 = icmp eq i32 %78, 0, !dbg !105
  br i1 %79, label %83, label %80, !dbg !105

80:                                               ; preds = %77
  %81 = load i32, ptr %7, align 4, !dbg !105
  %82 = icmp eq i32 %81, 16, !dbg !105
  br i1 %82, label %83, label %172, !dbg !105

83:                                               ; preds = %80, %77
  %84 = load i32, ptr %11, align 4, !dbg !105
  %85 = icmp eq i32 %84, 48, !dbg !105
  br i1 %85, label %86, label %172, !dbg !105

86:                                               ; preds = %83
  %87 = load ptr, ptr %6, align 8, !dbg !106
  %88 = getelementptr inbounds %struct._IO_FILE, ptr %87, i32 0, i32 1, !dbg !106
  %89 = load ptr, ptr %88, align 8, !dbg !106
  %90 = load ptr, ptr %6, align 8, !dbg !106
  %91 = getelementptr inbounds %struct._IO_FILE, ptr %90, i32 0, i32 25, !dbg !106
  %92 = load ptr, ptr %91, align 8, !dbg !106
  %93 = icmp ne ptr %89, %92, !dbg !106
  br i1 %93, label %94, label %101, !dbg !106

94:                                               ; preds = %86
  %95 = load ptr, ptr %6, align 8, !dbg !106
  %96 = getelementptr inbounds %struct._IO_FILE, ptr %95, i32 0, i32 1, !dbg !106
  %97 = load ptr, ptr %96, align 8, !dbg !106
  %98 = getelementptr inbounds i8, ptr %97, i32 1, !dbg !106
  store ptr %98, ptr %96, align 8, !dbg !106
  %99 = load i8, ptr %97, align 1, !dbg !106
  %100 = zext i8 %99 to i32, !dbg !106
  br label %104, !dbg !106

101:                                              ; preds = %86
  %102 = load ptr, ptr %6, align 8, !dbg !106
  %103 = call i32 @__shgetc(ptr noundef %102) #3, !dbg !106
  br label %104, !dbg !106

104:                                              ; preds = %101, %94
  %105 = phi i32 [ %100, %94 ], [ %103, %101 ], !dbg !106
  store i32 %105, ptr %11, align 4, !dbg !106
  %106 = load i32, ptr %11, align 4, !dbg !107
  %107 = or i32 %106, 32, !dbg !107
  %108 = icmp eq i32 %107, 120, !dbg !107
  br i1 %108, label %109, label %166, !dbg !107

109:                                              ; preds = %104
  %110 = load ptr, ptr %6, align 8, !dbg !108
  %111 = getelementptr inbounds %struct._IO_FILE, ptr %110, i32 0, i32 1, !dbg !108
  %112 = load ptr, ptr %111, align 8, !dbg !108
  %113 = load ptr, ptr %6, align 8, !dbg !108
  %114 = getelementptr inbounds %struct._IO_FILE, ptr %113, i32 0, i32 25, !dbg !108
  %115 = load ptr, ptr %114, align 8, !dbg !108
  %116 = icmp ne ptr %112, %115, !dbg !108
  br i1 %116, label %117, label %124, !dbg !108

117:                                              ; preds = %109
  %118 = load ptr, ptr %6, align 8, !dbg !108
  %119 = getelementptr inbounds %struct._IO_FILE, ptr %118, i32 0, i32 1, !dbg !108
  %120 = load ptr, ptr %119, align 8, !dbg !108
  %121 = getelementptr inbounds i8, ptr %120, i32 1, !dbg !108
  store ptr %121, ptr %119, align 8, !dbg !108
  %122 = load i8, ptr %120, align 1, !dbg !108
  %123 = zext i8 %122 to i32, !dbg !108
  br label %127, !dbg !108

124:                                              ; preds = %109
  %125 = load ptr, ptr %6, align 8, !dbg !108
  %126 = call i32 @__shgetc(ptr noundef %125) #3, !dbg !108
  br label %127, !dbg !108

127:                                              ; preds = %124, %117
  %128 = phi i32 [ %123, %117 ], [ %126, %124 ], !dbg !108
  store i32 %128, ptr %11, align 4, !dbg !108
  %129 = load ptr, ptr %10, align 8, !dbg !109
  %130 = load i32, ptr %11, align 4, !dbg !109
  %131 = sext i32 %130 to i64, !dbg !109
  %132 = getelementptr inbounds i8, ptr %129, i64 %131, !dbg !109
  %133 = load i8, ptr %132, align 1, !dbg !109
  %134 = zext i8 %133 to i32, !dbg !109
  %135 = icmp sge i32 %134, 16, !dbg !109
  br i1 %135, label %136, label %165, !dbg !109

136:                                              ; preds = %127
  %137 = load ptr, ptr %6, align 8, !dbg !110
  %138 = getelementptr inbounds %struct._IO_FILE, ptr %137, i32 0, i32 26, !dbg !110
  %139 = load i64, ptr %138, align 8, !dbg !110
  %140 = icmp sge i64 %139, 0, !dbg !110
  br i1 %140, label %141, label %146, !dbg !110

141:                                              ; preds = %136
  %142 = load ptr, ptr %6, align 8, !dbg !110
  %143 = getelementptr inbounds %struct._IO_FILE, ptr %142, i32 0, i32 1, !dbg !110
  %144 = load ptr, ptr %143, align 8, !dbg !110
  %145 = getelementptr inbounds i8, ptr %144, i32 -1, !dbg !110
  store ptr %145, ptr %143, align 8, !dbg !110
  br label %147, !dbg !110

146:                                              ; preds = %136
  br label %147, !dbg !110

147:                                              ; preds = %146, %141
  %148 = load i32, ptr %8, align 4, !dbg !111
  %149 = icmp ne i32 %148, 0, !dbg !111
  br i1 %149, label %150, label %162, !dbg !111

150:                                              ; preds = %147
  %151 = load ptr, ptr %6, align 8, !dbg !111
  %152 = getelementptr inbounds %struct._IO_FILE, ptr %151, i32 0, i32 26, !dbg !111
  %153 = load i64, ptr %152, align 8, !dbg !111
  %154 = icmp sge i64 %153, 0, !dbg !111
  br i1 %154, label %155, label %160, !dbg !111

155:                                              ; preds = %150
  %156 = load ptr, ptr %6, align 8, !dbg !111
  %157 = getelementptr inbounds %struct._IO_FILE, ptr %156, i32 0, i32 1, !dbg !111
  %158 = load ptr, ptr %157, align 8, !dbg !111
  %159 = getelementptr inbounds i8, ptr %158, i32 -1, !dbg !111
  store ptr %159, ptr %157, align 8, !dbg !111
  br label %161, !dbg !111

160:                                              ; preds = %150
  br label %161, !dbg !111

161:                                              ; preds = %160, %155
  br label %164, !dbg !111

162:                                              ; preds = %147
  %163 = load ptr, ptr %6, align 8, !dbg !112
  call void @__shlim(ptr noundef %163, i64 noundef 0) #3, !dbg !112
  br label %164

164:                                              ; preds = %162, %161
  store i64 0, ptr %5, align 8, !dbg !113
  br label %610, !dbg !113

165:                                              ; preds = %127
  store i32 16, ptr %7, align 4, !dbg !114
  br label %171, !dbg !115

166:                                              ; preds = %104
  %167 = load i32, ptr %7, align 4, !dbg !115
  %168 = icmp eq i32 %167, 0, !dbg !115
  br i1 %168, label %169, label %170, !dbg !115

169:                                              ; preds = %166
  store i32 8, ptr %7, align 4, !dbg !116
  br label %170, !dbg !117

170:                                              ; preds = %169, %166
  br label %171

171:                                              ; preds = %170, %165
  br label %200, !dbg !118

172:                                              ; preds = %83, %80
  %173 = load i32, ptr %7, align 4, !dbg !119
  %174 = icmp eq i32 %173, 0, !dbg !119
  br i1 %174, label %175, label %176, !dbg !119

175:                                              ; preds = %172
  store i32 10, ptr %7, align 4, !dbg !119
  br label %176, !dbg !119

176:                                              ; preds = %175, %172
  %177 = load ptr, ptr %10, align 8, !dbg !120
  %178 = load i32, ptr %11, align 4, !dbg !120
  %179 = sext i32 %178 to i64, !dbg !120
  %180 = getelementptr inbounds i8, ptr %177, i64 %179, !dbg !120
  %181 = load i8, ptr %180, align 1, !dbg !120
  %182 = zext i8 %181 to i32, !dbg !120
  %183 = load i32, ptr %7, align 4, !dbg !120
  %184 = icmp uge i32 %182, %183, !dbg !120
  br i1 %184, label %185, label %199, !dbg !120

185:                                              ; preds = %176
  %186 = load ptr, ptr %6, align 8, !dbg !121
  %187 = getelementptr inbounds %struct._IO_FILE, ptr %186, i32 0, i32 26, !dbg !121
  %188 = load i64, ptr %187, align 8, !dbg !121
  %189 = icmp sge i64 %188, 0, !dbg !121
  br i1 %189, label %190, label %195, !dbg !121

190:                                              ; preds = %185
  %191 = load ptr, ptr %6, align 8, !dbg !121
  %192 = getelementptr inbounds %struct._IO_FILE, ptr %191, i32 0, i32 1, !dbg !121
  %193 = load ptr, ptr %192, align 8, !dbg !121
  %194 = getelementptr inbounds i8, ptr %193, i32 -1, !dbg !121
  store ptr %194, ptr %192, align 8, !dbg !121
  br label %196, !dbg !121

195:                                              ; preds = %185
  br label %196, !dbg !121

196:                                              ; preds = %195, %190
  %197 = load ptr, ptr %6, align 8, !dbg !122
  call void @__shlim(ptr noundef %197, i64 noundef 0) #3, !dbg !122
  %198 = call ptr @___errno_location() #3, !dbg !123
  store i32 22, ptr %198, align 4, !dbg !123
  store i64 0, ptr %5, align 8, !dbg !124
  br label %610, !dbg !124

199:                                              ; preds = %176
  br label %200

200:                                              ; preds = %199, %171
  %201 = load i32, ptr %7, align 4, !dbg !125
  %202 = icmp eq i32 %201, 10, !dbg !125
  br i1 %202, label %203, label %292, !dbg !125

203:                                              ; preds = %200
  store i32 0, ptr %13, align 4, !dbg !126
  br label %204, !dbg !126

204:                                              ; preds = %237, %203
  %205 = load i32, ptr %11, align 4, !dbg !126
  %206 = sub nsw i32 %205, 48, !dbg !126
  %207 = icmp ult i32 %206, 10, !dbg !126
  br i1 %207, label %208, label %211, !dbg !126

208:                                              ; preds = %204
  %209 = load i32, ptr %13, align 4, !dbg !126
  %210 = icmp ule i32 %209, 429496728, !dbg !126
  br label %211

211:                                              ; preds = %208, %204
  %212 = phi i1 [ false, %204 ], [ %210, %208 ], !dbg !127
  br i1 %212, label %213, label %239, !dbg !126

213:                                              ; preds = %211
  %214 = load i32, ptr %13, align 4, !dbg !128
  %215 = mul i32 %214, 10, !dbg !128
  %216 = load i32, ptr %11, align 4, !dbg !128
  %217 = sub nsw i32 %216, 48, !dbg !128
  %218 = add i32 %215, %217, !dbg !128
  store i32 %218, ptr %13, align 4, !dbg !128
  br label %219, !dbg !128

219:                                              ; preds = %213
  %220 = load ptr, ptr %6, align 8, !dbg !126
  %221 = getelementptr inbounds %struct._IO_FILE, ptr %220, i32 0, i32 1, !dbg !126
  %222 = load ptr, ptr %221, align 8, !dbg !126
  %223 = load ptr, ptr %6, align 8, !dbg !126
  %224 = getelementptr inbounds %struct._IO_FILE, ptr %223, i32 0, i32 25, !dbg !126
  %225 = load ptr, ptr %224, align 8, !dbg !126
  %226 = icmp ne ptr %222, %225, !dbg !126
  br i1 %226, label %227, label %234, !dbg !126

227:                                              ; preds = %219
  %228 = load ptr, ptr %6, align 8, !dbg !126
  %229 = getelementptr inbounds %struct._IO_FILE, ptr %228, i32 0, i32 1, !dbg !126
  %230 = load ptr, ptr %229, align 8, !dbg !126
  %231 = getelementptr inbounds i8, ptr %230, i32 1, !dbg !126
  store ptr %231, ptr %229, align 8, !dbg !126
  %232 = load i8, ptr %230, align 1, !dbg !126
  %233 = zext i8 %232 to i32, !dbg !126
  br label %237, !dbg !126

234:                                              ; preds = %219
  %235 = load ptr, ptr %6, align 8, !dbg !126
  %236 = call i32 @__shgetc(ptr noundef %235) #3, !dbg !126
  br label %237, !dbg !126

237:                                              ; preds = %234, %227
  %238 = phi i32 [ %233, %227 ], [ %236, %234 ], !dbg !126
  store i32 %238, ptr %11, align 4, !dbg !126
  br label %204, !dbg !126, !llvm.loop !129

239:                                              ; preds = %211
  %240 = load i32, ptr %13, align 4, !dbg !130
  %241 = zext i32 %240 to i64, !dbg !130
  store i64 %241, ptr %14, align 8, !dbg !130
  br label %242, !dbg !130

242:                                              ; preds = %284, %239
  %243 = load i32, ptr %11, align 4, !dbg !130
  %244 = sub nsw i32 %243, 48, !dbg !130
  %245 = icmp ult i32 %244, 10, !dbg !130
  br i1 %245, label %246, label %257, !dbg !130

246:                                              ; preds = %242
  %247 = load i64, ptr %14, align 8, !dbg !130
  %248 = icmp ule i64 %247, 1844674407370955161, !dbg !130
  br i1 %248, label %249, label %257, !dbg !130

249:                                              ; preds = %246
  %250 = load i64, ptr %14, align 8, !dbg !130
  %251 = mul i64 10, %250, !dbg !130
  %252 = load i32, ptr %11, align 4, !dbg !130
  %253 = sub nsw i32 %252, 48, !dbg !130
  %254 = sext i32 %253 to i64, !dbg !130
  %255 = sub i64 -1, %254, !dbg !130
  %256 = icmp ule i64 %251, %255, !dbg !130
  br label %257

257:                                              ; preds = %249, %246, %242
  %258 = phi i1 [ false, %246 ], [ false, %242 ], [ %256, %249 ], !dbg !127
  br i1 %258, label %259, label %286, !dbg !130

259:                                              ; preds = %257
  %260 = load i64, ptr %14, align 8, !dbg !131
  %261 = mul i64 %260, 10, !dbg !131
  %262 = load i32, ptr %11, align 4, !dbg !131
  %263 = sub nsw i32 %262, 48, !dbg !131
  %264 = sext i32 %263 to i64, !dbg !131
  %265 = add i64 %261, %264, !dbg !131
  store i64 %265, ptr %14, align 8, !dbg !131
  br label %266, !dbg !131

266:                                              ; preds = %259
  %267 = load ptr, ptr %6, align 8, !dbg !130
  %268 = getelementptr inbounds %struct._IO_FILE, ptr %267, i32 0, i32 1, !dbg !130
  %269 = load ptr, ptr %268, align 8, !dbg !130
  %270 = load ptr, ptr %6, align 8, !dbg !130
  %271 = getelementptr inbounds %struct._IO_FILE, ptr %270, i32 0, i32 25, !dbg !130
  %272 = load ptr, ptr %271, align 8, !dbg !130
  %273 = icmp ne ptr %269, %272, !dbg !130
  br i1 %273, label %274, label %281, !dbg !130

274:                                              ; preds = %266
  %275 = load ptr, ptr %6, align 8, !dbg !130
  %276 = getelementptr inbounds %struct._IO_FILE, ptr %275, i32 0, i32 1, !dbg !130
  %277 = load ptr, ptr %276, align 8, !dbg !130
  %278 = getelementptr inbounds i8, ptr %277, i32 1, !dbg !130
  store ptr %278, ptr %276, align 8, !dbg !130
  %279 = load i8, ptr %277, align 1, !dbg !130
  %280 = zext i8 %279 to i32, !dbg !130
  br label %284, !dbg !130

281:                                              ; preds = %266
  %282 = load ptr, ptr %6, align 8, !dbg !130
  %283 = call i32 @__shgetc(ptr noundef %282) #3, !dbg !130
  br label %284, !dbg !130

284:                                              ; preds = %281, %274
  %285 = phi i32 [ %280, %274 ], [ %283, %281 ], !dbg !130
  store i32 %285, ptr %11, align 4, !dbg !130
  br label %242, !dbg !130, !llvm.loop !132

286:                                              ; preds = %257
  %287 = load i32, ptr %11, align 4, !dbg !133
  %288 = sub nsw i32 %287, 48, !dbg !133
  %289 = icmp uge i32 %288, 10, !dbg !133
  br i1 %289, label %290, label %291, !dbg !133

290:                                              ; preds = %286
  br label %567, !dbg !133

291:                                              ; preds = %286
  br label %518, !dbg !134

292:                                              ; preds = %200
  %293 = load i32, ptr %7, align 4, !dbg !134
  %294 = load i32, ptr %7, align 4, !dbg !134
  %295 = sub i32 %294, 1, !dbg !134
  %296 = and i32 %293, %295, !dbg !134
  %297 = icmp ne i32 %296, 0, !dbg !134
  br i1 %297, label %405, label %298, !dbg !134

298:                                              ; preds = %292
  %299 = load i32, ptr %7, align 4, !dbg !135
  %300 = mul i32 23, %299, !dbg !135
  %301 = lshr i32 %300, 5, !dbg !135
  %302 = and i32 %301, 7, !dbg !135
  %303 = zext i32 %302 to i64, !dbg !135
  %304 = getelementptr inbounds [9 x i8], ptr @.str, i64 0, i64 %303, !dbg !135
  %305 = load i8, ptr %304, align 1, !dbg !135
  %306 = sext i8 %305 to i32, !dbg !135
  store i32 %306, ptr %15, align 4, !dbg !135
  store i32 0, ptr %13, align 4, !dbg !136
  br label %307, !dbg !136

307:                                              ; preds = %350, %298
  %308 = load ptr, ptr %10, align 8, !dbg !136
  %309 = load i32, ptr %11, align 4, !dbg !136
  %310 = sext i32 %309 to i64, !dbg !136
  %311 = getelementptr inbounds i8, ptr %308, i64 %310, !dbg !136
  %312 = load i8, ptr %311, align 1, !dbg !136
  %313 = zext i8 %312 to i32, !dbg !136
  %314 = load i32, ptr %7, align 4, !dbg !136
  %315 = icmp ult i32 %313, %314, !dbg !136
  br i1 %315, label %316, label %319, !dbg !136

316:                                              ; preds = %307
  %317 = load i32, ptr %13, align 4, !dbg !136
  %318 = icmp ule i32 %317, 134217727, !dbg !136
  br label %319

319:                                              ; preds = %316, %307
  %320 = phi i1 [ false, %307 ], [ %318, %316 ], !dbg !127
  br i1 %320, label %321, label %352, !dbg !136

321:                                              ; preds = %319
  %322 = load i32, ptr %13, align 4, !dbg !137
  %323 = load i32, ptr %15, align 4, !dbg !137
  %324 = shl i32 %322, %323, !dbg !137
  %325 = load ptr, ptr %10, align 8, !dbg !137
  %326 = load i32, ptr %11, align 4, !dbg !137
  %327 = sext i32 %326 to i64, !dbg !137
  %328 = getelementptr inbounds i8, ptr %325, i64 %327, !dbg !137
  %329 = load i8, ptr %328, align 1, !dbg !137
  %330 = zext i8 %329 to i32, !dbg !137
  %331 = or i32 %324, %330, !dbg !137
  store i32 %331, ptr %13, align 4, !dbg !137
  br label %332, !dbg !137

332:                                              ; preds = %321
  %333 = load ptr, ptr %6, align 8, !dbg !136
  %334 = getelementptr inbounds %struct._IO_FILE, ptr %333, i32 0, i32 1, !dbg !136
  %335 = load ptr, ptr %334, align 8, !dbg !136
  %336 = load ptr, ptr %6, align 8, !dbg !136
  %337 = getelementptr inbounds %struct._IO_FILE, ptr %336, i32 0, i32 25, !dbg !136
  %338 = load ptr, ptr %337, align 8, !dbg !136
  %339 = icmp ne ptr %335, %338, !dbg !136
  br i1 %339, label %340, label %347, !dbg !136

340:                                              ; preds = %332
  %341 = load ptr, ptr %6, align 8, !dbg !136
  %342 = getelementptr inbounds %struct._IO_FILE, ptr %341, i32 0, i32 1, !dbg !136
  %343 = load ptr, ptr %342, align 8, !dbg !136
  %344 = getelementptr inbounds i8, ptr %343, i32 1, !dbg !136
  store ptr %344, ptr %342, align 8, !dbg !136
  %345 = load i8, ptr %343, align 1, !dbg !136
  %346 = zext i8 %345 to i32, !dbg !136
  br label %350, !dbg !136

347:                                              ; preds = %332
  %348 = load ptr, ptr %6, align 8, !dbg !136
  %349 = call i32 @__shgetc(ptr noundef %348) #3, !dbg !136
  br label %350, !dbg !136

350:                                              ; preds = %347, %340
  %351 = phi i32 [ %346, %340 ], [ %349, %347 ], !dbg !136
  store i32 %351, ptr %11, align 4, !dbg !136
  br label %307, !dbg !136, !llvm.loop !138

352:                                              ; preds = %319
  %353 = load i32, ptr %13, align 4, !dbg !139
  %354 = zext i32 %353 to i64, !dbg !139
  store i64 %354, ptr %14, align 8, !dbg !139
  br label %355, !dbg !139

355:                                              ; preds = %402, %352
  %356 = load ptr, ptr %10, align 8, !dbg !139
  %357 = load i32, ptr %11, align 4, !dbg !139
  %358 = sext i32 %357 to i64, !dbg !139
  %359 = getelementptr inbounds i8, ptr %356, i64 %358, !dbg !139
  %360 = load i8, ptr %359, align 1, !dbg !139
  %361 = zext i8 %360 to i32, !dbg !139
  %362 = load i32, ptr %7, align 4, !dbg !139
  %363 = icmp ult i32 %361, %362, !dbg !139
  br i1 %363, label %364, label %370, !dbg !139

364:                                              ; preds = %355
  %365 = load i64, ptr %14, align 8, !dbg !139
  %366 = load i32, ptr %15, align 4, !dbg !139
  %367 = zext i32 %366 to i64, !dbg !139
  %368 = lshr i64 -1, %367, !dbg !139
  %369 = icmp ule i64 %365, %368, !dbg !139
  br label %370

370:                                              ; preds = %364, %355
  %371 = phi i1 [ false, %355 ], [ %369, %364 ], !dbg !127
  br i1 %371, label %372, label %404, !dbg !139

372:                                              ; preds = %370
  %373 = load i64, ptr %14, align 8, !dbg !140
  %374 = load i32, ptr %15, align 4, !dbg !140
  %375 = zext i32 %374 to i64, !dbg !140
  %376 = shl i64 %373, %375, !dbg !140
  %377 = load ptr, ptr %10, align 8, !dbg !140
  %378 = load i32, ptr %11, align 4, !dbg !140
  %379 = sext i32 %378 to i64, !dbg !140
  %380 = getelementptr inbounds i8, ptr %377, i64 %379, !dbg !140
  %381 = load i8, ptr %380, align 1, !dbg !140
  %382 = zext i8 %381 to i64, !dbg !140
  %383 = or i64 %376, %382, !dbg !140
  store i64 %383, ptr %14, align 8, !dbg !140
  br label %384, !dbg !140

384:                                              ; preds = %372
  %385 = load ptr, ptr %6, align 8, !dbg !139
  %386 = getelementptr inbounds %struct._IO_FILE, ptr %385, i32 0, i32 1, !dbg !139
  %387 = load ptr, ptr %386, align 8, !dbg !139
  %388 = load ptr, ptr %6, align 8, !dbg !139
  %389 = getelementptr inbounds %struct._IO_FILE, ptr %388, i32 0, i32 25, !dbg !139
  %390 = load ptr, ptr %389, align 8, !dbg !139
  %391 = icmp ne ptr %387, %390, !dbg !139
  br i1 %391, label %392, label %399, !dbg !139

392:                                              ; preds = %384
  %393 = load ptr, ptr %6, align 8, !dbg !139
  %394 = getelementptr inbounds %struct._IO_FILE, ptr %393, i32 0, i32 1, !dbg !139
  %395 = load ptr, ptr %394, align 8, !dbg !139
  %396 = getelementptr inbounds i8, ptr %395, i32 1, !dbg !139
  store ptr %396, ptr %394, align 8, !dbg !139
  %397 = load i8, ptr %395, align 1, !dbg !139
  %398 = zext i8 %397 to i32, !dbg !139
  br label %402, !dbg !139

399:                                              ; preds = %384
  %400 = load ptr, ptr %6, align 8, !dbg !139
  %401 = call i32 @__shgetc(ptr noundef %400) #3, !dbg !139
  br label %402, !dbg !139

402:                                              ; preds = %399, %392
  %403 = phi i32 [ %398, %392 ], [ %401, %399 ], !dbg !139
  store i32 %403, ptr %11, align 4, !dbg !139
  br label %355, !dbg !139, !llvm.loop !141

404:                                              ; preds = %370
  br label %517, !dbg !142

405:                                              ; preds = %292
  store i32 0, ptr %13, align 4, !dbg !143
  br label %406, !dbg !143

406:                                              ; preds = %449, %405
  %407 = load ptr, ptr %10, align 8, !dbg !143
  %408 = load i32, ptr %11, align 4, !dbg !143
  %409 = sext i32 %408 to i64, !dbg !143
  %410 = getelementptr inbounds i8, ptr %407, i64 %409, !dbg !143
  %411 = load i8, ptr %410, align 1, !dbg !143
  %412 = zext i8 %411 to i32, !dbg !143
  %413 = load i32, ptr %7, align 4, !dbg !143
  %414 = icmp ult i32 %412, %413, !dbg !143
  br i1 %414, label %415, label %418, !dbg !143

415:                                              ; preds = %406
  %416 = load i32, ptr %13, align 4, !dbg !143
  %417 = icmp ule i32 %416, 119304646, !dbg !143
  br label %418

418:                                              ; preds = %415, %406
  %419 = phi i1 [ false, %406 ], [ %417, %415 ], !dbg !127
  br i1 %419, label %420, label %451, !dbg !143

420:                                              ; preds = %418
  %421 = load i32, ptr %13, align 4, !dbg !144
  %422 = load i32, ptr %7, align 4, !dbg !144
  %423 = mul i32 %421, %422, !dbg !144
  %424 = load ptr, ptr %10, align 8, !dbg !144
  %425 = load i32, ptr %11, align 4, !dbg !144
  %426 = sext i32 %425 to i64, !dbg !144
  %427 = getelementptr inbounds i8, ptr %424, i64 %426, !dbg !144
  %428 = load i8, ptr %427, align 1, !dbg !144
  %429 = zext i8 %428 to i32, !dbg !144
  %430 = add i32 %423, %429, !dbg !144
  store i32 %430, ptr %13, align 4, !dbg !144
  br label %431, !dbg !144

431:                                              ; preds = %420
  %432 = load ptr, ptr %6, align 8, !dbg !143
  %433 = getelementptr inbounds %struct._IO_FILE, ptr %432, i32 0, i32 1, !dbg !143
  %434 = load ptr, ptr %433, align 8, !dbg !143
  %435 = load ptr, ptr %6, align 8, !dbg !143
  %436 = getelementptr inbounds %struct._IO_FILE, ptr %435, i32 0, i32 25, !dbg !143
  %437 = load ptr, ptr %436, align 8, !dbg !143
  %438 = icmp ne ptr %434, %437, !dbg !143
  br i1 %438, label %439, label %446, !dbg !143

439:                                              ; preds = %431
  %440 = load ptr, ptr %6, align 8, !dbg !143
  %441 = getelementptr inbounds %struct._IO_FILE, ptr %440, i32 0, i32 1, !dbg !143
  %442 = load ptr, ptr %441, align 8, !dbg !143
  %443 = getelementptr inbounds i8, ptr %442, i32 1, !dbg !143
  store ptr %443, ptr %441, align 8, !dbg !143
  %444 = load i8, ptr %442, align 1, !dbg !143
  %445 = zext i8 %444 to i32, !dbg !143
  br label %449, !dbg !143

446:                                              ; preds = %431
  %447 = load ptr, ptr %6, align 8, !dbg !143
  %448 = call i32 @__shgetc(ptr noundef %447) #3, !dbg !143
  br label %449, !dbg !143

449:                                              ; preds = %446, %439
  %450 = phi i32 [ %445, %439 ], [ %448, %446 ], !dbg !143
  store i32 %450, ptr %11, align 4, !dbg !143
  br label %406, !dbg !143, !llvm.loop !145

451:                                              ; preds = %418
  %452 = load i32, ptr %13, align 4, !dbg !146
  %453 = zext i32 %452 to i64, !dbg !146
  store i64 %453, ptr %14, align 8, !dbg !146
  br label %454, !dbg !146

454:                                              ; preds = %514, %451
  %455 = load ptr, ptr %10, align 8, !dbg !146
  %456 = load i32, ptr %11, align 4, !dbg !146
  %457 = sext i32 %456 to i64, !dbg !146
  %458 = getelementptr inbounds i8, ptr %455, i64 %457, !dbg !146
  %459 = load i8, ptr %458, align 1, !dbg !146
  %460 = zext i8 %459 to i32, !dbg !146
  %461 = load i32, ptr %7, align 4, !dbg !146
  %462 = icmp ult i32 %460, %461, !dbg !146
  br i1 %462, label %463, label %482, !dbg !146

463:                                              ; preds = %454
  %464 = load i64, ptr %14, align 8, !dbg !146
  %465 = load i32, ptr %7, align 4, !dbg !146
  %466 = zext i32 %465 to i64, !dbg !146
  %467 = udiv i64 -1, %466, !dbg !146
  %468 = icmp ule i64 %464, %467, !dbg !146
  br i1 %468, label %469, label %482, !dbg !146

469:                                              ; preds = %463
  %470 = load i32, ptr %7, align 4, !dbg !146
  %471 = zext i32 %470 to i64, !dbg !146
  %472 = load i64, ptr %14, align 8, !dbg !146
  %473 = mul i64 %471, %472, !dbg !146
  %474 = load ptr, ptr %10, align 8, !dbg !146
  %475 = load i32, ptr %11, align 4, !dbg !146
  %476 = sext i32 %475 to i64, !dbg !146
  %477 = getelementptr inbounds i8, ptr %474, i64 %476, !dbg !146
  %478 = load i8, ptr %477, align 1, !dbg !146
  %479 = zext i8 %478 to i64, !dbg !146
  %480 = sub i64 -1, %479, !dbg !146
  %481 = icmp ule i64 %473, %480, !dbg !146
  br label %482

482:                                              ; preds = %469, %463, %454
  %483 = phi i1 [ false, %463 ], [ false, %454 ], [ %481, %469 ], !dbg !127
  br i1 %483, label %484, label %516, !dbg !146

484:                                              ; preds = %482
  %485 = load i64, ptr %14, align 8, !dbg !147
  %486 = load i32, ptr %7, align 4, !dbg !147
  %487 = zext i32 %486 to i64, !dbg !147
  %488 = mul i64 %485, %487, !dbg !147
  %489 = load ptr, ptr %10, align 8, !dbg !147
  %490 = load i32, ptr %11, align 4, !dbg !147
  %491 = sext i32 %490 to i64, !dbg !147
  %492 = getelementptr inbounds i8, ptr %489, i64 %491, !dbg !147
  %493 = load i8, ptr %492, align 1, !dbg !147
  %494 = zext i8 %493 to i64, !dbg !147
  %495 = add i64 %488, %494, !dbg !147
  store i64 %495, ptr %14, align 8, !dbg !147
  br label %496, !dbg !147

496:                                              ; preds = %484
  %497 = load ptr, ptr %6, align 8, !dbg !146
  %498 = getelementptr inbounds %struct._IO_FILE, ptr %497, i32 0, i32 1, !dbg !146
  %499 = load ptr, ptr %498, align 8, !dbg !146
  %500 = load ptr, ptr %6, align 8, !dbg !146
  %501 = getelementptr inbounds %struct._IO_FILE, ptr %500, i32 0, i32 25, !dbg !146
  %502 = load ptr, ptr %501, align 8, !dbg !146
  %503 = icmp ne ptr %499, %502, !dbg !146
  br i1 %503, label %504, label %511, !dbg !146

504:                                              ; preds = %496
  %505 = load ptr, ptr %6, align 8, !dbg !146
  %506 = getelementptr inbounds %struct._IO_FILE, ptr %505, i32 0, i32 1, !dbg !146
  %507 = load ptr, ptr %506, align 8, !dbg !146
  %508 = getelementptr inbounds i8, ptr %507, i32 1, !dbg !146
  store ptr %508, ptr %506, align 8, !dbg !146
  %509 = load i8, ptr %507, align 1, !dbg !146
  %510 = zext i8 %509 to i32, !dbg !146
  br label %514, !dbg !146

511:                                              ; preds = %496
  %512 = load ptr, ptr %6, align 8, !dbg !146
  %513 = call i32 @__shgetc(ptr noundef %512) #3, !dbg !146
  br label %514, !dbg !146

514:                                              ; preds = %511, %504
  %515 = phi i32 [ %510, %504 ], [ %513, %511 ], !dbg !146
  store i32 %515, ptr %11, align 4, !dbg !146
  br label %454, !dbg !146, !llvm.loop !148

516:                                              ; preds = %482
  br label %517

517:                                              ; preds = %516, %404
  br label %518

518:                                              ; preds = %517, %291
  %519 = load ptr, ptr %10, align 8, !dbg !149
  %520 = load i32, ptr %11, align 4, !dbg !149
  %521 = sext i32 %520 to i64, !dbg !149
  %522 = getelementptr inbounds i8, ptr %519, i64 %521, !dbg !149
  %523 = load i8, ptr %522, align 1, !dbg !149
  %524 = zext i8 %523 to i32, !dbg !149
  %525 = load i32, ptr %7, align 4, !dbg !149
  %526 = icmp ult i32 %524, %525, !dbg !149
  br i1 %526, label %527, label %566, !dbg !149

527:                                              ; preds = %518
  br label %528, !dbg !150

528:                                              ; preds = %556, %527
  %529 = load ptr, ptr %10, align 8, !dbg !150
  %530 = load i32, ptr %11, align 4, !dbg !150
  %531 = sext i32 %530 to i64, !dbg !150
  %532 = getelementptr inbounds i8, ptr %529, i64 %531, !dbg !150
  %533 = load i8, ptr %532, align 1, !dbg !150
  %534 = zext i8 %533 to i32, !dbg !150
  %535 = load i32, ptr %7, align 4, !dbg !150
  %536 = icmp ult i32 %534, %535, !dbg !150
  br i1 %536, label %537, label %558, !dbg !150

537:                                              ; preds = %528
  br label %538, !dbg !150

538:                                              ; preds = %537
  %539 = load ptr, ptr %6, align 8, !dbg !150
  %540 = getelementptr inbounds %struct._IO_FILE, ptr %539, i32 0, i32 1, !dbg !150
  %541 = load ptr, ptr %540, align 8, !dbg !150
  %542 = load ptr, ptr %6, align 8, !dbg !150
  %543 = getelementptr inbounds %struct._IO_FILE, ptr %542, i32 0, i32 25, !dbg !150
  %544 = load ptr, ptr %543, align 8, !dbg !150
  %545 = icmp ne ptr %541, %544, !dbg !150
  br i1 %545, label %546, label %553, !dbg !150

546:                                              ; preds = %538
  %547 = load ptr, ptr %6, align 8, !dbg !150
  %548 = getelementptr inbounds %struct._IO_FILE, ptr %547, i32 0, i32 1, !dbg !150
  %549 = load ptr, ptr %548, align 8, !dbg !150
  %550 = getelementptr inbounds i8, ptr %549, i32 1, !dbg !150
  store ptr %550, ptr %548, align 8, !dbg !150
  %551 = load i8, ptr %549, align 1, !dbg !150
  %552 = zext i8 %551 to i32, !dbg !150
  br label %556, !dbg !150

553:                                              ; preds = %538
  %554 = load ptr, ptr %6, align 8, !dbg !150
  %555 = call i32 @__shgetc(ptr noundef %554) #3, !dbg !150
  br label %556, !dbg !150

556:                                              ; preds = %553, %546
  %557 = phi i32 [ %552, %546 ], [ %555, %553 ], !dbg !150
  store i32 %557, ptr %11, align 4, !dbg !150
  br label %528, !dbg !150, !llvm.loop !151

558:                                              ; preds = %528
  %559 = call ptr @___errno_location() #3, !dbg !152
  store i32 34, ptr %559, align 4, !dbg !152
  %560 = load i64, ptr %9, align 8, !dbg !153
  store i64 %560, ptr %14, align 8, !dbg !153
  %561 = load i64, ptr %9, align 8, !dbg !154
  %562 = and i64 %561, 1, !dbg !154
  %563 = icmp ne i64 %562, 0, !dbg !154
  br i1 %563, label %564, label %565, !dbg !154

564:                                              ; preds = %558
  store i32 0, ptr %12, align 4, !dbg !154
  br label %565, !dbg !154

565:                                              ; preds = %564, %558
  br label %566, !dbg !155

566:                                              ; preds = %565, %518
  br label %567, !dbg !149

567:                                              ; preds = %566, %290
  %568 = load ptr, ptr %6, align 8, !dbg !156
  %569 = getelementptr inbounds %struct._IO_FILE, ptr %568, i32 0, i32 26, !dbg !156
  %570 = load i64, ptr %569, align 8, !dbg !156
  %571 = icmp sge i64 %570, 0, !dbg !156
  br i1 %571, label %572, label %577, !dbg !156

572:                                              ; preds = %567
  %573 = load ptr, ptr %6, align 8, !dbg !156
  %574 = getelementptr inbounds %struct._IO_FILE, ptr %573, i32 0, i32 1, !dbg !156
  %575 = load ptr, ptr %574, align 8, !dbg !156
  %576 = getelementptr inbounds i8, ptr %575, i32 -1, !dbg !156
  store ptr %576, ptr %574, align 8, !dbg !156
  br label %578, !dbg !156

577:                                              ; preds = %567
  br label %578, !dbg !156

578:                                              ; preds = %577, %572
  %579 = load i64, ptr %14, align 8, !dbg !157
  %580 = load i64, ptr %9, align 8, !dbg !157
  %581 = icmp uge i64 %579, %580, !dbg !157
  br i1 %581, label %582, label %602, !dbg !157

582:                                              ; preds = %578
  %583 = load i64, ptr %9, align 8, !dbg !158
  %584 = and i64 %583, 1, !dbg !158
  %585 = icmp ne i64 %584, 0, !dbg !158
  br i1 %585, label %593, label %586, !dbg !158

586:                                              ; preds = %582
  %587 = load i32, ptr %12, align 4, !dbg !158
  %588 = icmp ne i32 %587, 0, !dbg !158
  br i1 %588, label %593, label %589, !dbg !158

589:                                              ; preds = %586
  %590 = call ptr @___errno_location() #3, !dbg !159
  store i32 34, ptr %590, align 4, !dbg !159
  %591 = load i64, ptr %9, align 8, !dbg !160
  %592 = sub i64 %591, 1, !dbg !160
  store i64 %592, ptr %5, align 8, !dbg !160
  br label %610, !dbg !160

593:                                              ; preds = %586, %582
  %594 = load i64, ptr %14, align 8, !dbg !161
  %595 = load i64, ptr %9, align 8, !dbg !161
  %596 = icmp ugt i64 %594, %595, !dbg !161
  br i1 %596, label %597, label %600, !dbg !161

597:                                              ; preds = %593
  %598 = call ptr @___errno_location() #3, !dbg !162
  store i32 34, ptr %598, align 4, !dbg !162
  %599 = load i64, ptr %9, align 8, !dbg !163
  store i64 %599, ptr %5, align 8, !dbg !163
  br label %610, !dbg !163

600:                                              ; preds = %593
  br label %601

601:                                              ; preds = %600
  br label %602, !dbg !164

602:                                              ; preds = %601, %578
  %603 = load i64, ptr %14, align 8, !dbg !165
  %604 = load i32, ptr %12, align 4, !dbg !165
  %605 = sext i32 %604 to i64, !dbg !165
  %606 = xor i64 %603, %605, !dbg !165
  %607 = load i32, ptr %12, align 4, !dbg !165
  %608 = sext i32 %607 to i64, !dbg !165
  %609 = sub i64 %606, %608, !dbg !165
  store i64 %609, ptr %5, align 8, !dbg !165
  br label %610, !dbg !165

610:                                              ; preds = %602, %597, %589, %196, %164, %21
  %611 = load i64, ptr %5, align 8, !dbg !166
  ret i64 %611, !dbg !166
}

declare hidden ptr @___errno_location() #1

; Function Attrs: noinline nounwind
define hidden i32 @__shgetc(ptr noundef %0) #0 !dbg !167 {
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i64, align 8
  store ptr %0, ptr %3, align 8
  %6 = load ptr, ptr %3, align 8, !dbg !169
  %7 = getelementptr inbounds %struct._IO_FILE, ptr %6, i32 0, i32 27, !dbg !169
  %8 = load i64, ptr %7, align 8, !dbg !169
  %9 = load ptr, ptr %3, align 8, !dbg !169
  %10 = getelementptr inbounds %struct._IO_FILE, ptr %9, i32 0, i32 1, !dbg !169
  %11 = load ptr, ptr %10, align 8, !dbg !169
  %12 = load ptr, ptr %3, align 8, !dbg !169
  %13 = getelementptr inbounds %struct._IO_FILE, ptr %12, i32 0, i32 11, !dbg !169
  %14 = load ptr, ptr %13, align 8, !dbg !169
  %15 = ptrtoint ptr %11 to i64, !dbg !169
  %16 = ptrtoint ptr %14 to i64, !dbg !169
  %17 = sub i64 %15, %16, !dbg !169
  %18 = add nsw i64 %8, %17, !dbg !169
  store i64 %18, ptr %5, align 8, !dbg !169
  %19 = load ptr, ptr %3, align 8, !dbg !170
  %20 = getelementptr inbounds %struct._IO_FILE, ptr %19, i32 0, i32 26, !dbg !170
  %21 = load i64, ptr %20, align 8, !dbg !170
  %22 = icmp ne i64 %21, 0, !dbg !170
  br i1 %22, label %23, label %29, !dbg !170

23:                                               ; preds = %1
  %24 = load i64, ptr %5, align 8, !dbg !170
  %25 = load ptr, ptr %3, align 8, !dbg !170
  %26 = getelementptr inbounds %struct._IO_FILE, ptr %25, i32 0, i32 26, !dbg !170
  %27 = load i64, ptr %26, align 8, !dbg !170
  %28 = icmp sge i64 %24, %27, !dbg !170
  br i1 %28, label %33, label %29, !dbg !170

29:                                               ; preds = %23, %1
  %30 = load ptr, ptr %3, align 8, !dbg !170
  %31 = call i32 @__uflow(ptr noundef %30) #3, !dbg !170
  store i32 %31, ptr %4, align 4, !dbg !170
  %32 = icmp slt i32 %31, 0, !dbg !170
  br i1 %32, label %33, label %54, !dbg !170

33:                                               ; preds = %29, %23
  %34 = load ptr, ptr %3, align 8, !dbg !171
  %35 = getelementptr inbounds %struct._IO_FILE, ptr %34, i32 0, i32 11, !dbg !171
  %36 = load ptr, ptr %35, align 8, !dbg !171
  %37 = load ptr, ptr %3, align 8, !dbg !171
  %38 = getelementptr inbounds %struct._IO_FILE, ptr %37, i32 0, i32 1, !dbg !171
  %39 = load ptr, ptr %38, align 8, !dbg !171
  %40 = ptrtoint ptr %36 to i64, !dbg !171
  %41 = ptrtoint ptr %39 to i64, !dbg !171
  %42 = sub i64 %40, %41, !dbg !171
  %43 = load i64, ptr %5, align 8, !dbg !171
  %44 = add nsw i64 %42, %43, !dbg !171
  %45 = load ptr, ptr %3, align 8, !dbg !171
  %46 = getelementptr inbounds %struct._IO_FILE, ptr %45, i32 0, i32 27, !dbg !171
  store i64 %44, ptr %46, align 8, !dbg !171
  %47 = load ptr, ptr %3, align 8, !dbg !172
  %48 = getelementptr inbounds %struct._IO_FILE, ptr %47, i32 0, i32 1, !dbg !172
  %49 = load ptr, ptr %48, align 8, !dbg !172
  %50 = load ptr, ptr %3, align 8, !dbg !172
  %51 = getelementptr inbounds %struct._IO_FILE, ptr %50, i32 0, i32 25, !dbg !172
  store ptr %49, ptr %51, align 8, !dbg !172
  %52 = load ptr, ptr %3, align 8, !dbg !173
  %53 = getelementptr inbounds %struct._IO_FILE, ptr %52, i32 0, i32 26, !dbg !173
  store i64 -1, ptr %53, align 8, !dbg !173
  store i32 -1, ptr %2, align 4, !dbg !174
  br label %125, !dbg !174

54:                                               ; preds = %29
  %55 = load i64, ptr %5, align 8, !dbg !175
  %56 = add nsw i64 %55, 1, !dbg !175
  store i64 %56, ptr %5, align 8, !dbg !175
  %57 = load ptr, ptr %3, align 8, !dbg !176
  %58 = getelementptr inbounds %struct._IO_FILE, ptr %57, i32 0, i32 26, !dbg !176
  %59 = load i64, ptr %58, align 8, !dbg !176
  %60 = icmp ne i64 %59, 0, !dbg !176
  br i1 %60, label %61, label %89, !dbg !176

61:                                               ; preds = %54
  %62 = load ptr, ptr %3, align 8, !dbg !176
  %63 = getelementptr inbounds %struct._IO_FILE, ptr %62, i32 0, i32 2, !dbg !176
  %64 = load ptr, ptr %63, align 8, !dbg !176
  %65 = load ptr, ptr %3, align 8, !dbg !176
  %66 = getelementptr inbounds %struct._IO_FILE, ptr %65, i32 0, i32 1, !dbg !176
  %67 = load ptr, ptr %66, align 8, !dbg !176
  %68 = ptrtoint ptr %64 to i64, !dbg !176
  %69 = ptrtoint ptr %67 to i64, !dbg !176
  %70 = sub i64 %68, %69, !dbg !176
  %71 = load ptr, ptr %3, align 8, !dbg !176
  %72 = getelementptr inbounds %struct._IO_FILE, ptr %71, i32 0, i32 26, !dbg !176
  %73 = load i64, ptr %72, align 8, !dbg !176
  %74 = load i64, ptr %5, align 8, !dbg !176
  %75 = sub nsw i64 %73, %74, !dbg !176
  %76 = icmp sgt i64 %70, %75, !dbg !176
  br i1 %76, label %77, label %89, !dbg !176

77:                                               ; preds = %61
  %78 = load ptr, ptr %3, align 8, !dbg !177
  %79 = getelementptr inbounds %struct._IO_FILE, ptr %78, i32 0, i32 1, !dbg !177
  %80 = load ptr, ptr %79, align 8, !dbg !177
  %81 = load ptr, ptr %3, align 8, !dbg !177
  %82 = getelementptr inbounds %struct._IO_FILE, ptr %81, i32 0, i32 26, !dbg !177
  %83 = load i64, ptr %82, align 8, !dbg !177
  %84 = load i64, ptr %5, align 8, !dbg !177
  %85 = sub nsw i64 %83, %84, !dbg !177
  %86 = getelementptr inbounds i8, ptr %80, i64 %85, !dbg !177
  %87 = load ptr, ptr %3, align 8, !dbg !177
  %88 = getelementptr inbounds %struct._IO_FILE, ptr %87, i32 0, i32 25, !dbg !177
  store ptr %86, ptr %88, align 8, !dbg !177
  br label %95, !dbg !177

89:                                               ; preds = %61, %54
  %90 = load ptr, ptr %3, align 8, !dbg !178
  %91 = getelementptr inbounds %struct._IO_FILE, ptr %90, i32 0, i32 2, !dbg !178
  %92 = load ptr, ptr %91, align 8, !dbg !178
  %93 = load ptr, ptr %3, align 8, !dbg !178
  %94 = getelementptr inbounds %struct._IO_FILE, ptr %93, i32 0, i32 25, !dbg !178
  store ptr %92, ptr %94, align 8, !dbg !178
  br label %95

95:                                               ; preds = %89, %77
  %96 = load ptr, ptr %3, align 8, !dbg !179
  %97 = getelementptr inbounds %struct._IO_FILE, ptr %96, i32 0, i32 11, !dbg !179
  %98 = load ptr, ptr %97, align 8, !dbg !179
  %99 = load ptr, ptr %3, align 8, !dbg !179
  %100 = getelementptr inbounds %struct._IO_FILE, ptr %99, i32 0, i32 1, !dbg !179
  %101 = load ptr, ptr %100, align 8, !dbg !179
  %102 = ptrtoint ptr %98 to i64, !dbg !179
  %103 = ptrtoint ptr %101 to i64, !dbg !179
  %104 = sub i64 %102, %103, !dbg !179
  %105 = load i64, ptr %5, align 8, !dbg !179
  %106 = add nsw i64 %104, %105, !dbg !179
  %107 = load ptr, ptr %3, align 8, !dbg !179
  %108 = getelementptr inbounds %struct._IO_FILE, ptr %107, i32 0, i32 27, !dbg !179
  store i64 %106, ptr %108, align 8, !dbg !179
  %109 = load ptr, ptr %3, align 8, !dbg !180
  %110 = getelementptr inbounds %struct._IO_FILE, ptr %109, i32 0, i32 1, !dbg !180
  %111 = load ptr, ptr %110, align 8, !dbg !180
  %112 = load ptr, ptr %3, align 8, !dbg !180
  %113 = getelementptr inbounds %struct._IO_FILE, ptr %112, i32 0, i32 11, !dbg !180
  %114 = load ptr, ptr %113, align 8, !dbg !180
  %115 = icmp ule ptr %111, %114, !dbg !180
  br i1 %115, label %116, label %123, !dbg !180

116:                                              ; preds = %95
  %117 = load i32, ptr %4, align 4, !dbg !180
  %118 = trunc i32 %117 to i8, !dbg !180
  %119 = load ptr, ptr %3, align 8, !dbg !180
  %120 = getelementptr inbounds %struct._IO_FILE, ptr %119, i32 0, i32 1, !dbg !180
  %121 = load ptr, ptr %120, align 8, !dbg !180
  %122 = getelementptr inbounds i8, ptr %121, i64 -1, !dbg !180
  store i8 %118, ptr %122, align 1, !dbg !180
  br label %123, !dbg !180

123:                                              ; preds = %116, %95
  %124 = load i32, ptr %4, align 4, !dbg !181
  store i32 %124, ptr %2, align 4, !dbg !181
  br label %125, !dbg !181

125:                                              ; preds = %123, %33
  %126 = load i32, ptr %2, align 4, !dbg !182
  ret i32 %126, !dbg !182
}

; Function Attrs: noinline nounwind
define hidden void @__shlim(ptr noundef %0, i64 noundef %1) #0 !dbg !183 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %3, align 8
  store i64 %1, ptr %4, align 8
  %5 = load i64, ptr %4, align 8, !dbg !184
  %6 = load ptr, ptr %3, align 8, !dbg !184
  %7 = getelementptr inbounds %struct._IO_FILE, ptr %6, i32 0, i32 26, !dbg !184
  store i64 %5, ptr %7, align 8, !dbg !184
  %8 = load ptr, ptr %3, align 8, !dbg !185
  %9 = getelementptr inbounds %struct._IO_FILE, ptr %8, i32 0, i32 11, !dbg !185
  %10 = load ptr, ptr %9, align 8, !dbg !185
  %11 = load ptr, ptr %3, align 8, !dbg !185
  %12 = getelementptr inbounds %struct._IO_FILE, ptr %11, i32 0, i32 1, !dbg !185
  %13 = load ptr, ptr %12, align 8, !dbg !185
  %14 = ptrtoint ptr %10 to i64, !dbg !185
  %15 = ptrtoint ptr %13 to i64, !dbg !185
  %16 = sub i64 %14, %15, !dbg !185
  %17 = load ptr, ptr %3, align 8, !dbg !185
  %18 = getelementptr inbounds %struct._IO_FILE, ptr %17, i32 0, i32 27, !dbg !185
  store i64 %16, ptr %18, align 8, !dbg !185
  %19 = load i64, ptr %4, align 8, !dbg !186
  %20 = icmp ne i64 %19, 0, !dbg !186
  br i1 %20, label %21, label %41, !dbg !186

21:                                               ; preds = %2
  %22 = load ptr, ptr %3, align 8, !dbg !186
  %23 = getelementptr inbounds %struct._IO_FILE, ptr %22, i32 0, i32 2, !dbg !186
  %24 = load ptr, ptr %23, align 8, !dbg !186
  %25 = load ptr, ptr %3, align 8, !dbg !186
  %26 = getelementptr inbounds %struct._IO_FILE, ptr %25, i32 0, i32 1, !dbg !186
  %27 = load ptr, ptr %26, align 8, !dbg !186
  %28 = ptrtoint ptr %24 to i64, !dbg !186
  %29 = ptrtoint ptr %27 to i64, !dbg !186
  %30 = sub i64 %28, %29, !dbg !186
  %31 = load i64, ptr %4, align 8, !dbg !186
  %32 = icmp sgt i64 %30, %31, !dbg !186
  br i1 %32, label %33, label %41, !dbg !186

33:                                               ; preds = %21
  %34 = load ptr, ptr %3, align 8, !dbg !187
  %35 = getelementptr inbounds %struct._IO_FILE, ptr %34, i32 0, i32 1, !dbg !187
  %36 = load ptr, ptr %35, align 8, !dbg !187
  %37 = load i64, ptr %4, align 8, !dbg !187
  %38 = getelementptr inbounds i8, ptr %36, i64 %37, !dbg !187
  %39 = load ptr, ptr %3, align 8, !dbg !187
  %40 = getelementptr inbounds %struct._IO_FILE, ptr %39, i32 0, i32 25, !dbg !187
  store ptr %38, ptr %40, align 8, !dbg !187
  br label %47, !dbg !187

41:                                               ; preds = %21, %2
  %42 = load ptr, ptr %3, align 8, !dbg !188
  %43 = getelementptr inbounds %struct._IO_FILE, ptr %42, i32 0, i32 2, !dbg !188
  %44 = load ptr, ptr %43, align 8, !dbg !188
  %45 = load ptr, ptr %3, align 8, !dbg !188
  %46 = getelementptr inbounds %struct._IO_FILE, ptr %45, i32 0, i32 25, !dbg !188
  store ptr %44, ptr %46, align 8, !dbg !188
  br label %47

47:                                               ; preds = %41, %33
  ret void, !dbg !189
}

declare i32 @__uflow(ptr noundef) #1

; Function Attrs: noinline nounwind
define dso_local i32 @ffs(i32 noundef %0) #0 !dbg !190 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !192
  %4 = icmp ne i32 %3, 0, !dbg !192
  br i1 %4, label %5, label %10, !dbg !192

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !dbg !192
  %7 = sext i32 %6 to i64, !dbg !192
  %8 = call i32 @a_ctz_l(i64 noundef %7) #3, !dbg !192
  %9 = add nsw i32 %8, 1, !dbg !192
  br label %11, !dbg !192

10:                                               ; preds = %1
  br label %11, !dbg !192

11:                                               ; preds = %10, %5
  %12 = phi i32 [ %9, %5 ], [ 0, %10 ], !dbg !192
  ret i32 %12, !dbg !192
}

; Function Attrs: noinline nounwind
define internal i32 @a_ctz_l(i64 noundef %0) #0 !dbg !193 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  %3 = load i64, ptr %2, align 8, !dbg !195
  %4 = call i32 @a_ctz_64(i64 noundef %3) #3, !dbg !195
  ret i32 %4, !dbg !195
}

; Function Attrs: noinline nounwind
define dso_local i32 @ffsl(i64 noundef %0) #0 !dbg !196 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  %3 = load i64, ptr %2, align 8, !dbg !198
  %4 = icmp ne i64 %3, 0, !dbg !198
  br i1 %4, label %5, label %9, !dbg !198

5:                                                ; preds = %1
  %6 = load i64, ptr %2, align 8, !dbg !198
  %7 = call i32 @a_ctz_l(i64 noundef %6) #3, !dbg !198
  %8 = add nsw i32 %7, 1, !dbg !198
  br label %10, !dbg !198

9:                                                ; preds = %1
  br label %10, !dbg !198

10:                                               ; preds = %9, %5
  %11 = phi i32 [ %8, %5 ], [ 0, %9 ], !dbg !198
  ret i32 %11, !dbg !198
}

; Function Attrs: noinline nounwind
define dso_local i32 @ffsll(i64 noundef %0) #0 !dbg !199 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  %3 = load i64, ptr %2, align 8, !dbg !201
  %4 = icmp ne i64 %3, 0, !dbg !201
  br i1 %4, label %5, label %9, !dbg !201

5:                                                ; preds = %1
  %6 = load i64, ptr %2, align 8, !dbg !201
  %7 = call i32 @a_ctz_64(i64 noundef %6) #3, !dbg !201
  %8 = add nsw i32 %7, 1, !dbg !201
  br label %10, !dbg !201

9:                                                ; preds = %1
  br label %10, !dbg !201

10:                                               ; preds = %9, %5
  %11 = phi i32 [ %8, %5 ], [ 0, %9 ], !dbg !201
  ret i32 %11, !dbg !201
}

; Function Attrs: noinline nounwind
define internal i32 @a_ctz_64(i64 noundef %0) #0 !dbg !202 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  %3 = load i64, ptr %2, align 8, !dbg !204
  %4 = call i64 asm "bsf $1,$0", "=r,r,~{dirflag},~{fpsr},~{flags}"(i64 %3) #4, !dbg !204, !srcloc !205
  store i64 %4, ptr %2, align 8, !dbg !204
  %5 = load i64, ptr %2, align 8, !dbg !206
  %6 = trunc i64 %5 to i32, !dbg !206
  ret i32 %6, !dbg !206
}

; Function Attrs: noinline nounwind
define dso_local i32 @htonl(i32 noundef %0) #0 !dbg !207 {
  %2 = alloca i32, align 4
  %3 = alloca %union.anon, align 4
  store i32 %0, ptr %2, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %3, ptr align 4 @__const.htonl.u, i64 4, i1 false), !dbg !209
  %4 = load i8, ptr %3, align 4, !dbg !210
  %5 = sext i8 %4 to i32, !dbg !210
  %6 = icmp ne i32 %5, 0, !dbg !210
  br i1 %6, label %7, label %10, !dbg !210

7:                                                ; preds = %1
  %8 = load i32, ptr %2, align 4, !dbg !210
  %9 = call i32 @__bswap_32(i32 noundef %8) #3, !dbg !210
  br label %12, !dbg !210

10:                                               ; preds = %1
  %11 = load i32, ptr %2, align 4, !dbg !210
  br label %12, !dbg !210

12:                                               ; preds = %10, %7
  %13 = phi i32 [ %9, %7 ], [ %11, %10 ], !dbg !210
  ret i32 %13, !dbg !210
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: noinline nounwind
define internal i32 @__bswap_32(i32 noundef %0) #0 !dbg !211 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !213
  %4 = lshr i32 %3, 24, !dbg !213
  %5 = load i32, ptr %2, align 4, !dbg !213
  %6 = lshr i32 %5, 8, !dbg !213
  %7 = and i32 %6, 65280, !dbg !213
  %8 = or i32 %4, %7, !dbg !213
  %9 = load i32, ptr %2, align 4, !dbg !213
  %10 = shl i32 %9, 8, !dbg !213
  %11 = and i32 %10, 16711680, !dbg !213
  %12 = or i32 %8, %11, !dbg !213
  %13 = load i32, ptr %2, align 4, !dbg !213
  %14 = shl i32 %13, 24, !dbg !213
  %15 = or i32 %12, %14, !dbg !213
  ret i32 %15, !dbg !213
}

; Function Attrs: noinline nounwind
define dso_local zeroext i16 @htons(i16 noundef zeroext %0) #0 !dbg !214 {
  %2 = alloca i16, align 2
  %3 = alloca %union.anon.0, align 4
  store i16 %0, ptr %2, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %3, ptr align 4 @__const.htons.u, i64 4, i1 false), !dbg !216
  %4 = load i8, ptr %3, align 4, !dbg !217
  %5 = sext i8 %4 to i32, !dbg !217
  %6 = icmp ne i32 %5, 0, !dbg !217
  br i1 %6, label %7, label %11, !dbg !217

7:                                                ; preds = %1
  %8 = load i16, ptr %2, align 2, !dbg !217
  %9 = call zeroext i16 @__bswap_16(i16 noundef zeroext %8) #3, !dbg !217
  %10 = zext i16 %9 to i32, !dbg !217
  br label %14, !dbg !217

11:                                               ; preds = %1
  %12 = load i16, ptr %2, align 2, !dbg !217
  %13 = zext i16 %12 to i32, !dbg !217
  br label %14, !dbg !217

14:                                               ; preds = %11, %7
  %15 = phi i32 [ %10, %7 ], [ %13, %11 ], !dbg !217
  %16 = trunc i32 %15 to i16, !dbg !217
  ret i16 %16, !dbg !217
}

; Function Attrs: noinline nounwind
define internal zeroext i16 @__bswap_16(i16 noundef zeroext %0) #0 !dbg !218 {
  %2 = alloca i16, align 2
  store i16 %0, ptr %2, align 2
  %3 = load i16, ptr %2, align 2, !dbg !219
  %4 = zext i16 %3 to i32, !dbg !219
  %5 = shl i32 %4, 8, !dbg !219
  %6 = load i16, ptr %2, align 2, !dbg !219
  %7 = zext i16 %6 to i32, !dbg !219
  %8 = ashr i32 %7, 8, !dbg !219
  %9 = or i32 %5, %8, !dbg !219
  %10 = trunc i32 %9 to i16, !dbg !219
  ret i16 %10, !dbg !219
}

; Function Attrs: noinline nounwind
define dso_local i32 @ntohl(i32 noundef %0) #0 !dbg !220 {
  %2 = alloca i32, align 4
  %3 = alloca %union.anon.1, align 4
  store i32 %0, ptr %2, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %3, ptr align 4 @__const.ntohl.u, i64 4, i1 false), !dbg !222
  %4 = load i8, ptr %3, align 4, !dbg !223
  %5 = sext i8 %4 to i32, !dbg !223
  %6 = icmp ne i32 %5, 0, !dbg !223
  br i1 %6, label %7, label %10, !dbg !223

7:                                                ; preds = %1
  %8 = load i32, ptr %2, align 4, !dbg !223
  %9 = call i32 @__bswap_32(i32 noundef %8) #3, !dbg !223
  br label %12, !dbg !223

10:                                               ; preds = %1
  %11 = load i32, ptr %2, align 4, !dbg !223
  br label %12, !dbg !223

12:                                               ; preds = %10, %7
  %13 = phi i32 [ %9, %7 ], [ %11, %10 ], !dbg !223
  ret i32 %13, !dbg !223
}

; Function Attrs: noinline nounwind
define dso_local zeroext i16 @ntohs(i16 noundef zeroext %0) #0 !dbg !224 {
  %2 = alloca i16, align 2
  %3 = alloca %union.anon.2, align 4
  store i16 %0, ptr %2, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %3, ptr align 4 @__const.ntohs.u, i64 4, i1 false), !dbg !226
  %4 = load i8, ptr %3, align 4, !dbg !227
  %5 = sext i8 %4 to i32, !dbg !227
  %6 = icmp ne i32 %5, 0, !dbg !227
  br i1 %6, label %7, label %11, !dbg !227

7:                                                ; preds = %1
  %8 = load i16, ptr %2, align 2, !dbg !227
  %9 = call zeroext i16 @__bswap_16(i16 noundef zeroext %8) #3, !dbg !227
  %10 = zext i16 %9 to i32, !dbg !227
  br label %14, !dbg !227

11:                                               ; preds = %1
  %12 = load i16, ptr %2, align 2, !dbg !227
  %13 = zext i16 %12 to i32, !dbg !227
  br label %14, !dbg !227

14:                                               ; preds = %11, %7
  %15 = phi i32 [ %10, %7 ], [ %13, %11 ], !dbg !227
  %16 = trunc i32 %15 to i16, !dbg !227
  ret i16 %16, !dbg !227
}

attributes #0 = { noinline nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nobuiltin "no-builtins" }
attributes #4 = { nounwind memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "-", directory: ".", checksumkind: CSK_MD5, checksum: "b0bca431319479e8d0949441ec8cbb71")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!9 = distinct !DISubprogram(name: "abs", scope: !10, file: !10, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DIFile(filename: "./src/stdlib/abs.c", directory: ".", checksumkind: CSK_MD5, checksum: "15bed906f271f4540a791dfaa3c82ce9")
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !DILocation(line: 5, scope: !9)
!14 = distinct !DISubprogram(name: "labs", scope: !15, file: !15, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!15 = !DIFile(filename: "./src/stdlib/labs.c", directory: ".", checksumkind: CSK_MD5, checksum: "4743d7796a3028c3f2bc91e6b25cf94a")
!16 = !DILocation(line: 5, scope: !14)
!17 = distinct !DISubprogram(name: "llabs", scope: !18, file: !18, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!18 = !DIFile(filename: "./src/stdlib/llabs.c", directory: ".", checksumkind: CSK_MD5, checksum: "234b2b430c05e0a38b5e5da20b8626c8")
!19 = !DILocation(line: 5, scope: !17)
!20 = distinct !DISubprogram(name: "atoi", scope: !21, file: !21, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!21 = !DIFile(filename: "./src/stdlib/atoi.c", directory: ".", checksumkind: CSK_MD5, checksum: "10053e36d4a8be407cdbf28165d21454")
!22 = !DILocation(line: 6, scope: !20)
!23 = !DILocation(line: 7, scope: !20)
!24 = distinct !{!24, !23, !23}
!25 = !DILocation(line: 8, scope: !20)
!26 = !DILocation(line: 9, scope: !20)
!27 = !DILocation(line: 10, scope: !20)
!28 = !DILocation(line: 11, scope: !20)
!29 = !DILocation(line: 13, scope: !20)
!30 = !DILocation(line: 14, scope: !20)
!31 = distinct !{!31, !29, !30}
!32 = !DILocation(line: 15, scope: !20)
!33 = distinct !DISubprogram(name: "__isspace", scope: !34, file: !34, line: 26, type: !11, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!34 = !DIFile(filename: "include/ctype.h", directory: ".", checksumkind: CSK_MD5, checksum: "e3f7ee525c069d9bf9bb99221b71dcbd")
!35 = !DILocation(line: 28, scope: !33)
!36 = distinct !DISubprogram(name: "atol", scope: !37, file: !37, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!37 = !DIFile(filename: "./src/stdlib/atol.c", directory: ".", checksumkind: CSK_MD5, checksum: "d6c083c8d9b854967b868f24175bd06d")
!38 = !DILocation(line: 6, scope: !36)
!39 = !DILocation(line: 7, scope: !36)
!40 = !DILocation(line: 8, scope: !36)
!41 = distinct !{!41, !40, !40}
!42 = !DILocation(line: 9, scope: !36)
!43 = !DILocation(line: 10, scope: !36)
!44 = !DILocation(line: 11, scope: !36)
!45 = !DILocation(line: 12, scope: !36)
!46 = !DILocation(line: 14, scope: !36)
!47 = !DILocation(line: 15, scope: !36)
!48 = distinct !{!48, !46, !47}
!49 = !DILocation(line: 16, scope: !36)
!50 = distinct !DISubprogram(name: "atoll", scope: !51, file: !51, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!51 = !DIFile(filename: "./src/stdlib/atoll.c", directory: ".", checksumkind: CSK_MD5, checksum: "9a0668781992a9c3038d3dd944f75f54")
!52 = !DILocation(line: 6, scope: !50)
!53 = !DILocation(line: 7, scope: !50)
!54 = !DILocation(line: 8, scope: !50)
!55 = distinct !{!55, !54, !54}
!56 = !DILocation(line: 9, scope: !50)
!57 = !DILocation(line: 10, scope: !50)
!58 = !DILocation(line: 11, scope: !50)
!59 = !DILocation(line: 12, scope: !50)
!60 = !DILocation(line: 14, scope: !50)
!61 = !DILocation(line: 15, scope: !50)
!62 = distinct !{!62, !60, !61}
!63 = !DILocation(line: 16, scope: !50)
!64 = distinct !DISubprogram(name: "div", scope: !65, file: !65, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!65 = !DIFile(filename: "./src/stdlib/div.c", directory: ".", checksumkind: CSK_MD5, checksum: "59523c66694ec33ac896f1e7aa011e88")
!66 = !DILocation(line: 5, scope: !64)
!67 = distinct !DISubprogram(name: "ldiv", scope: !68, file: !68, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!68 = !DIFile(filename: "./src/stdlib/ldiv.c", directory: ".", checksumkind: CSK_MD5, checksum: "83a4f4c70f0c11ad11ef0324b5a0d44d")
!69 = !DILocation(line: 5, scope: !67)
!70 = distinct !DISubprogram(name: "strtoull", scope: !71, file: !71, line: 21, type: !11, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!71 = !DIFile(filename: "./src/stdlib/strtol.c", directory: ".", checksumkind: CSK_MD5, checksum: "c0fe8f5f48e2bfd09bd0b8e6fa9a3af4")
!72 = !DILocation(line: 23, scope: !70)
!73 = distinct !DISubprogram(name: "strtox", scope: !71, file: !71, line: 8, type: !11, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!74 = !DILocation(line: 11, scope: !73)
!75 = !DILocation(line: 12, scope: !73)
!76 = !DILocation(line: 13, scope: !73)
!77 = !DILocation(line: 14, scope: !73)
!78 = !DILocation(line: 15, scope: !73)
!79 = !DILocation(line: 16, scope: !73)
!80 = !DILocation(line: 17, scope: !73)
!81 = !DILocation(line: 18, scope: !73)
!82 = distinct !DISubprogram(name: "strtoll", scope: !71, file: !71, line: 26, type: !11, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!83 = !DILocation(line: 28, scope: !82)
!84 = distinct !DISubprogram(name: "strtoul", scope: !71, file: !71, line: 31, type: !11, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!85 = !DILocation(line: 33, scope: !84)
!86 = distinct !DISubprogram(name: "strtol", scope: !71, file: !71, line: 36, type: !11, scopeLine: 37, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!87 = !DILocation(line: 38, scope: !86)
!88 = distinct !DISubprogram(name: "strtoimax", scope: !71, file: !71, line: 41, type: !11, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!89 = !DILocation(line: 43, scope: !88)
!90 = distinct !DISubprogram(name: "strtoumax", scope: !71, file: !71, line: 46, type: !11, scopeLine: 47, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!91 = !DILocation(line: 48, scope: !90)
!92 = distinct !DISubprogram(name: "__intscan", scope: !93, file: !93, line: 26, type: !11, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!93 = !DIFile(filename: "./src/internal/intscan.c", directory: ".", checksumkind: CSK_MD5, checksum: "9251268f0ccf3e930ab13521103a1c44")
!94 = !DILocation(line: 28, scope: !92)
!95 = !DILocation(line: 29, scope: !92)
!96 = !DILocation(line: 32, scope: !92)
!97 = !DILocation(line: 33, scope: !92)
!98 = !DILocation(line: 34, scope: !92)
!99 = !DILocation(line: 36, scope: !92)
!100 = distinct !{!100, !99, !99}
!101 = !DILocation(line: 37, scope: !92)
!102 = !DILocation(line: 38, scope: !92)
!103 = !DILocation(line: 39, scope: !92)
!104 = !DILocation(line: 40, scope: !92)
!105 = !DILocation(line: 41, scope: !92)
!106 = !DILocation(line: 42, scope: !92)
!107 = !DILocation(line: 43, scope: !92)
!108 = !DILocation(line: 44, scope: !92)
!109 = !DILocation(line: 45, scope: !92)
!110 = !DILocation(line: 46, scope: !92)
!111 = !DILocation(line: 47, scope: !92)
!112 = !DILocation(line: 48, scope: !92)
!113 = !DILocation(line: 49, scope: !92)
!114 = !DILocation(line: 51, scope: !92)
!115 = !DILocation(line: 52, scope: !92)
!116 = !DILocation(line: 53, scope: !92)
!117 = !DILocation(line: 54, scope: !92)
!118 = !DILocation(line: 55, scope: !92)
!119 = !DILocation(line: 56, scope: !92)
!120 = !DILocation(line: 57, scope: !92)
!121 = !DILocation(line: 58, scope: !92)
!122 = !DILocation(line: 59, scope: !92)
!123 = !DILocation(line: 60, scope: !92)
!124 = !DILocation(line: 61, scope: !92)
!125 = !DILocation(line: 64, scope: !92)
!126 = !DILocation(line: 65, scope: !92)
!127 = !DILocation(line: 0, scope: !92)
!128 = !DILocation(line: 66, scope: !92)
!129 = distinct !{!129, !126, !128}
!130 = !DILocation(line: 67, scope: !92)
!131 = !DILocation(line: 68, scope: !92)
!132 = distinct !{!132, !130, !131}
!133 = !DILocation(line: 69, scope: !92)
!134 = !DILocation(line: 70, scope: !92)
!135 = !DILocation(line: 71, scope: !92)
!136 = !DILocation(line: 72, scope: !92)
!137 = !DILocation(line: 73, scope: !92)
!138 = distinct !{!138, !136, !137}
!139 = !DILocation(line: 74, scope: !92)
!140 = !DILocation(line: 75, scope: !92)
!141 = distinct !{!141, !139, !140}
!142 = !DILocation(line: 76, scope: !92)
!143 = !DILocation(line: 77, scope: !92)
!144 = !DILocation(line: 78, scope: !92)
!145 = distinct !{!145, !143, !144}
!146 = !DILocation(line: 79, scope: !92)
!147 = !DILocation(line: 80, scope: !92)
!148 = distinct !{!148, !146, !147}
!149 = !DILocation(line: 82, scope: !92)
!150 = !DILocation(line: 83, scope: !92)
!151 = distinct !{!151, !150, !150}
!152 = !DILocation(line: 84, scope: !92)
!153 = !DILocation(line: 85, scope: !92)
!154 = !DILocation(line: 86, scope: !92)
!155 = !DILocation(line: 87, scope: !92)
!156 = !DILocation(line: 89, scope: !92)
!157 = !DILocation(line: 90, scope: !92)
!158 = !DILocation(line: 91, scope: !92)
!159 = !DILocation(line: 92, scope: !92)
!160 = !DILocation(line: 93, scope: !92)
!161 = !DILocation(line: 94, scope: !92)
!162 = !DILocation(line: 95, scope: !92)
!163 = !DILocation(line: 96, scope: !92)
!164 = !DILocation(line: 98, scope: !92)
!165 = !DILocation(line: 99, scope: !92)
!166 = !DILocation(line: 100, scope: !92)
!167 = distinct !DISubprogram(name: "__shgetc", scope: !168, file: !168, line: 19, type: !11, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!168 = !DIFile(filename: "./src/internal/shgetc.c", directory: ".", checksumkind: CSK_MD5, checksum: "a78173bbdc6526905b87731010a808e4")
!169 = !DILocation(line: 22, scope: !167)
!170 = !DILocation(line: 23, scope: !167)
!171 = !DILocation(line: 24, scope: !167)
!172 = !DILocation(line: 25, scope: !167)
!173 = !DILocation(line: 26, scope: !167)
!174 = !DILocation(line: 27, scope: !167)
!175 = !DILocation(line: 29, scope: !167)
!176 = !DILocation(line: 30, scope: !167)
!177 = !DILocation(line: 31, scope: !167)
!178 = !DILocation(line: 33, scope: !167)
!179 = !DILocation(line: 34, scope: !167)
!180 = !DILocation(line: 35, scope: !167)
!181 = !DILocation(line: 36, scope: !167)
!182 = !DILocation(line: 37, scope: !167)
!183 = distinct !DISubprogram(name: "__shlim", scope: !168, file: !168, line: 8, type: !11, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!184 = !DILocation(line: 10, scope: !183)
!185 = !DILocation(line: 11, scope: !183)
!186 = !DILocation(line: 13, scope: !183)
!187 = !DILocation(line: 14, scope: !183)
!188 = !DILocation(line: 16, scope: !183)
!189 = !DILocation(line: 17, scope: !183)
!190 = distinct !DISubprogram(name: "ffs", scope: !191, file: !191, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!191 = !DIFile(filename: "./src/misc/ffs.c", directory: ".", checksumkind: CSK_MD5, checksum: "b13f70fc3c6276249c7be6b737274366")
!192 = !DILocation(line: 6, scope: !190)
!193 = distinct !DISubprogram(name: "a_ctz_l", scope: !194, file: !194, line: 292, type: !11, scopeLine: 293, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!194 = !DIFile(filename: "src/internal/atomic.h", directory: ".", checksumkind: CSK_MD5, checksum: "020ca59f0e4f165dff98bc1ae6fe5dd3")
!195 = !DILocation(line: 294, scope: !193)
!196 = distinct !DISubprogram(name: "ffsl", scope: !197, file: !197, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!197 = !DIFile(filename: "./src/misc/ffsl.c", directory: ".", checksumkind: CSK_MD5, checksum: "e8c85dc0c071f9846d9ea220b31603f6")
!198 = !DILocation(line: 6, scope: !196)
!199 = distinct !DISubprogram(name: "ffsll", scope: !200, file: !200, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!200 = !DIFile(filename: "./src/misc/ffsll.c", directory: ".", checksumkind: CSK_MD5, checksum: "847908aa3eeaa1a36cf935f42a561fdf")
!201 = !DILocation(line: 6, scope: !199)
!202 = distinct !DISubprogram(name: "a_ctz_64", scope: !203, file: !203, line: 112, type: !11, scopeLine: 113, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!203 = !DIFile(filename: "arch/x86_64/atomic_arch.h", directory: ".", checksumkind: CSK_MD5, checksum: "7a2c21991fbd856b566299ef8aafd0d5")
!204 = !DILocation(line: 114, scope: !202)
!205 = !{i64 192516}
!206 = !DILocation(line: 115, scope: !202)
!207 = distinct !DISubprogram(name: "htonl", scope: !208, file: !208, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!208 = !DIFile(filename: "./src/network/htonl.c", directory: ".", checksumkind: CSK_MD5, checksum: "59fdb017d98a7af97b86e7874ecfefdd")
!209 = !DILocation(line: 6, scope: !207)
!210 = !DILocation(line: 7, scope: !207)
!211 = distinct !DISubprogram(name: "__bswap_32", scope: !212, file: !212, line: 12, type: !11, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!212 = !DIFile(filename: "include/byteswap.h", directory: ".", checksumkind: CSK_MD5, checksum: "2fa89174b8486cc83777125ee508e6f9")
!213 = !DILocation(line: 14, scope: !211)
!214 = distinct !DISubprogram(name: "htons", scope: !215, file: !215, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!215 = !DIFile(filename: "./src/network/htons.c", directory: ".", checksumkind: CSK_MD5, checksum: "a1c96f0f09baf89abe29228d4ef33a8a")
!216 = !DILocation(line: 6, scope: !214)
!217 = !DILocation(line: 7, scope: !214)
!218 = distinct !DISubprogram(name: "__bswap_16", scope: !212, file: !212, line: 7, type: !11, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!219 = !DILocation(line: 9, scope: !218)
!220 = distinct !DISubprogram(name: "ntohl", scope: !221, file: !221, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!221 = !DIFile(filename: "./src/network/ntohl.c", directory: ".", checksumkind: CSK_MD5, checksum: "651f1f6c67a916afae1a6bb5e5743597")
!222 = !DILocation(line: 6, scope: !220)
!223 = !DILocation(line: 7, scope: !220)
!224 = distinct !DISubprogram(name: "ntohs", scope: !225, file: !225, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!225 = !DIFile(filename: "./src/network/ntohs.c", directory: ".", checksumkind: CSK_MD5, checksum: "f06f9b4b58aaa03b1402cd6bda4c17f2")
!226 = !DILocation(line: 6, scope: !224)
!227 = !DILocation(line: 7, scope: !224)
